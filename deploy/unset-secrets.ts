import { unsetSecrets } from './function-secrets.ts';

/** Removes the secrets with these names, if they exist, from the functions of a project. */
const [projectRef = '', ...names] = process.argv.slice(2);
const removed = unsetSecrets(projectRef, names);
console.log(removed.length > 0 ? `Removed: ${removed.join(', ')}.` : 'There is nothing to remove.');
