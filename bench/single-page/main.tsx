import { createRoot } from 'react-dom/client';
import type { Content } from '../content.ts';
import '../page.css';
import type { Picture } from '../picture.ts';
import { Landing } from './Landing.tsx';

// Put in by the build.
declare const CONTENT: Content;
declare const PICTURE: Picture | null;

createRoot(document.getElementById('root')!).render(<Landing content={CONTENT} picture={PICTURE} />);
