import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { GraphQLError } from 'graphql';
import { log, ask } from './ask.mjs';
const typeDefs = `#graphql
 type Book { title: String! author: Author } type Author { name: String! books: [Book!]! } type Query { books(first: Int = 2): [Book!]! fail: String who: String } type Mutation { add(title: String!): Book! }`;
const author = { name: 'A' };
const books = [
  { title: 'one', author },
  { title: 'two', author },
  { title: 'three', author },
];
author.books = books;
const server = new ApolloServer({
  typeDefs,
  introspection: true,
  includeStacktraceInErrorResponses: false,
  resolvers: {
    Query: {
      books: (_, { first }) => books.slice(0, first),
      fail: () => {
        throw new GraphQLError('no', { extensions: { code: 'NOPE' } });
      },
      who: (_, __, ctx) => ctx.who,
    },
    Mutation: { add: (_, { title }) => ({ title }) },
  },
});
const { url } = await startStandaloneServer(server, {
  listen: { port: 0 },
  context: async ({ req }) => ({ who: req.headers['x-who'] }),
});
const base = url.replace(/\/$/, '');
const post = (query, variables, headers) =>
  ask(base, '/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
await post('{ books { title author { name books { title } } } }');
await post('query ($n: Int) { books(first: $n) { title } }', { n: 3 });
await post('mutation { add(title: "x") { title } }');
await post('{ fail }');
await post('{ nothing }');
await post('{ who }', {}, { 'x-who': 'me' });
await post('{ __schema { queryType { name } } }');
await ask(base, '/?query=%7B__typename%7D');
await ask(base, '/?query=%7B__typename%7D', { headers: { 'apollo-require-preflight': '1' } });
await ask(base, '/', { method: 'POST', body: 'x' });
await ask(base, '/', { method: 'OPTIONS', headers: { origin: 'http://a.b', 'access-control-request-method': 'POST' } });
await server.stop();
log('stopped');
