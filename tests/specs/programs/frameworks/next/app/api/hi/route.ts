export function GET(request: Request) {
  return Response.json({ hi: new URL(request.url).searchParams.get('name') });
}
