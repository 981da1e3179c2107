import { createRoot } from 'react-dom/client';
import './style.css';
import App from './App';
import data from './data.json';
console.log(data.name, import.meta.env.MODE);
createRoot(document.getElementById('app')!).render(<App n={1 as number} />);
const lazy = () => import('./lazy');
lazy();
