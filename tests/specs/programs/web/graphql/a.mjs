import { GraphQLEnumType, GraphQLError, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, buildSchema, execute, getIntrospectionQuery, graphql, graphqlSync, parse, print, printSchema, subscribe, validate, visit } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { createHandler as createFetchHandler } from 'graphql-http/lib/use/fetch';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}\n`);

const schema = buildSchema(`
  "Who reads." type User { id: ID!, name(upper: Boolean = false): String!, friends: [User!]!, secret: String }
  enum Colour { RED GREEN @deprecated(reason: "no more") }
  input NewUser { name: String!, colour: Colour = RED }
  union Found = User | Note
  type Note { text: String }
  type Query { user(id: ID!): User, users: [User!]!, search(text: String!): [Found!]! }
  type Mutation { add(user: NewUser!): User! }
  type Subscription { ticks(to: Int!): Int! }
`);
const users = [{ id: '1', names: 'Ann' }, { id: '2', names: 'Bob' }].map(({ id, names }) => ({ __typename: 'User', id, name: ({ upper }) => (upper ? names.toUpperCase() : names), friends: () => users.filter((each) => each.id !== id), secret: () => { throw new GraphQLError('not yours', { extensions: { code: 'FORBIDDEN' } }); } }));
const rootValue = {
  user: async ({ id }) => users.find((each) => each.id === id),
  users: () => users,
  search: ({ text }) => [users[0], { __typename: 'Note', text }],
  add: ({ user }) => ({ id: '3', name: `${user.name} ${user.colour}`, friends: [] }),
  ticks: async function* ({ to }) { for (let n = 1; n <= to; n++) yield { ticks: n }; },
};
const ask = async (source, variableValues) => log(JSON.stringify(await graphql({ schema, source, rootValue, variableValues })));
await ask('{ user(id: 1) { id name shout: name(upper: true) friends { ...F } } } fragment F on User { name }');
await ask('query ($id: ID!, $deep: Boolean!) { user(id: $id) { id friends @include(if: $deep) { id } } }', { id: '2', deep: true });
await ask('query ($id: ID!) { user(id: $id) { id } }');
await ask('{ users { id secret } }');
await ask('{ search(text: "x") { __typename ... on User { name } ... on Note { text } } }');
await ask('mutation { add(user: { name: "New", colour: GREEN }) { id name } }');
await ask('{ user(id: 1) { nme } }');
await ask('{ user(id: 1) { name');
for await (const each of await subscribe({ schema, document: parse('subscription { ticks(to: 3) }'), rootValue })) log(JSON.stringify(each));
log(validate(schema, parse('query A { users } query A { none }')).map(String).join('\n'));
log(printSchema(schema));
log(print(visit(parse('query Q($a: Int = 1) { a(b: $a, c: [1, {d: "e"}]) @skip(if: false) { ...X } }'), { Field: (node) => (node.name.value === 'a' ? { ...node, name: { ...node.name, value: 'renamed' } } : undefined) })));
const made = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: () => ({ n: { type: new GraphQLNonNull(GraphQLInt), resolve: () => null }, l: { type: new GraphQLList(GraphQLString), args: { e: { type: new GraphQLEnumType({ name: 'E', values: { A: { value: 1 } } }) } }, resolve: (root, { e }) => [e, 'b'] } }) }) });
log(JSON.stringify(graphqlSync({ schema: made, source: '{ l(e: A) }' })), JSON.stringify(execute({ schema: made, document: parse('{ n }') })));
log(graphqlSync({ schema, source: getIntrospectionQuery() }).data.__schema.types.length);

const server = createServer(createHandler({ schema, rootValue, context: (request) => ({ url: request.url }) })).listen(0);
await once(server, 'listening');
const base = `http://localhost:${server.address().port}/`;
const over = async (options, path = '') => { const answer = await fetch(base + path, options); log(answer.status, answer.headers.get('content-type'), answer.headers.get('allow'), await answer.text()); };
const post = (body, headers) => ({ method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) });
await over(post({ query: 'query ($id: ID!) { user(id: $id) { name } }', variables: { id: '1' } }));
await over(post({ query: '{ users { id } }' }, { accept: 'application/json' }));
await over(post({ query: '{ nothing }' }));
await over(post({ query: '{' }));
await over(post('{'));
await over(post({}));
await over(post({ query: '{ users { id } }' }, { 'content-type': 'text/plain' }));
await over({}, `?query=${encodeURIComponent('{ users { id } }')}`);
await over({}, `?query=${encodeURIComponent('mutation { add(user: { name: "x" }) { id } }')}`);
await over({ method: 'PUT' });
const handler = createFetchHandler({ schema, rootValue });
log(await (await handler(new Request('http://x/', post({ query: '{ users { name } }' })))).text());
server.close(); server.closeAllConnections();
