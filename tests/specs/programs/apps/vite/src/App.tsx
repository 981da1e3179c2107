export default function App({ n }: { n: number }) { return <h1>Hello {n}</h1>; }
