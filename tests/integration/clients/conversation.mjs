// What each client asks: `node CLIENT http URL` or `node CLIENT stdio COMMAND [ARGUMENT…]`.

export async function converse(makeClient, overPipes, overHttp) {
  const [wire, ...rest] = process.argv.slice(2);
  const transport = wire === "http" ? overHttp(rest[0]) : overPipes(rest[0], rest.slice(1));
  const client = makeClient();
  await client.connect(transport);
  const { tools } = await client.listTools();
  const good = await client.callTool({ name: "get_symbol", arguments: { target: "shop.total" } });
  const bad = await client.callTool({ name: "get_symbol", arguments: { target: "shop.totl" } });
  const many = await Promise.all(
    ["shop.total", "shop.Order", "rich.print"].map((target) =>
      client.callTool({ name: "get_symbol", arguments: { target } }),
    ),
  );
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: "pydocs://symbol/shop/shop.total" });
  console.log(
    JSON.stringify({
      tools: tools.map((tool) => tool.name),
      text: good.content[0].text,
      structured: good.structuredContent,
      error: bad.content[0].text,
      is_error: bad.isError === true,
      many: many.map((each) => each.structuredContent.public_name),
      resources: resources.map((each) => each.uri),
      resource: contents[0].text,
    }),
  );
  await client.close();
}
