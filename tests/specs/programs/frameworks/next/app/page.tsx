export default function Page() {
  const name: string = 'next';
  return <h1>{`Hello from ${name}`}</h1>;
}
