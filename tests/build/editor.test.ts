import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import { SiteCopy } from './site-copy.ts';

const require = createRequire(import.meta.url);
const viaCheck = createRequire(require.resolve('@astrojs/check'));
const payouts = 'content/faq/payouts.mdx';

const site = new SiteCopy({ content: 'known' });
const folder = pathToFileURL(site.folder).href;
const uri = `${folder}/${payouts}`;
let server: ChildProcess;
let connection: MessageConnection;

beforeAll(async () => {
  expect(site.build().status).toBe(0);
  const program = join(
    dirname(viaCheck.resolve('@astrojs/language-server/package.json')),
    'bin/nodeServer.js',
  );
  server = spawn(process.execPath, [program, '--stdio'], { cwd: site.folder });
  connection = createMessageConnection(server.stdout!, server.stdin!);
  connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => null));
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'site' }],
    capabilities: { workspace: { configuration: true }, textDocument: { diagnostic: {}, completion: {} } },
    initializationOptions: {
      typescript: { tsdk: dirname(require.resolve('typescript')) },
      contentIntellisense: JSON.parse(site.read('.vscode/settings.json'))['astro.content-intellisense'],
    },
  });
  await connection.sendNotification('initialized', {});
});

afterAll(() => {
  connection?.dispose();
  server?.kill();
  site.remove();
});

let version = 0;
/** Opens the file in the editor, as if somebody had typed it so. */
async function type(text: string): Promise<void> {
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  const textDocument = { uri, languageId: 'mdx', version: ++version, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
}

async function readWarnings(): Promise<string[]> {
  const answer = await connection.sendRequest<{
    items: { message: string; range: { start: { line: number } } }[];
  }>('textDocument/diagnostic', { textDocument: { uri } });
  return answer.items.map(({ message, range }) => `${range.start.line + 1} ${message}`);
}

describe("an editor with Astro's language server", () => {
  it('has nothing to say of a file that is right', async () => {
    await type(site.read(payouts));
    expect(await readWarnings()).toEqual([]);
  });

  it.each([
    ['an unknown field', 'question:', 'questin:', '3 Property questin is not allowed.'],
    ['a missing field', 'order: 904\n', '', '1 Missing property "order".'],
    ['words for a number', 'order: 904', 'order: fourth', '2 Incorrect type. Expected "integer".'],
    [
      'words that are too long',
      'What is',
      'What '.repeat(40),
      '3 String is longer than the maximum length of 120.',
    ],
  ])('warns of %s', async (_, from, to, warning) => {
    await type(site.read(payouts).replace(from, to));
    expect(await readWarnings()).toContain(warning);
  });

  it('completes a field, and says what it is for', async () => {
    await type(site.read(payouts).replace(/question.*/, 'q'));
    const answer = await connection.sendRequest<{ items: object[] }>('textDocument/completion', {
      textDocument: { uri },
      position: { line: 2, character: 1 },
    });
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        label: 'question',
        documentation: 'The question as a visitor would ask it. The answer is the text below.',
      }),
    );
  });
});
