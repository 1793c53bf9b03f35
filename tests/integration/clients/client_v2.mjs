// The TypeScript SDK, second generation: one conversation, printed as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { converse } from "./conversation.mjs";

await converse(
  () => new Client({ name: "typescript-v2", version: "1" }),
  (command, args) => new StdioClientTransport({ command, args, env: process.env }),
  (url) => new StreamableHTTPClientTransport(new URL(url)),
);
