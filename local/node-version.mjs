// Loaded before anything else and in plain JavaScript: an older Node cannot even read the TypeScript that follows.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `This needs Node 24, and runs on ${process.versions.node}. npm ci brings Node 24 along on Linux and Windows; elsewhere install it from nodejs.org.`,
  );
  process.exit(1);
}
