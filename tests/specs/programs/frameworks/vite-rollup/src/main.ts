import './style.css';
import { greeting } from './b';

document.body.textContent = greeting satisfies string;
import('./late').then(({ late }) => console.log(late));
