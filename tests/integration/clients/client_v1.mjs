// The TypeScript SDK, first generation: one conversation, printed as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { converse } from "./conversation.mjs";

await converse(
  () => new Client({ name: "typescript-v1", version: "1" }),
  (command, args) => new StdioClientTransport({ command, args, env: process.env }),
  (url) => new StreamableHTTPClientTransport(new URL(url)),
);
