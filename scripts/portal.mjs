import { spawn } from 'node:child_process'
import { installDependencies } from './setup.mjs'
import { buildSpawnOptions, node, programArguments, superviseChildren } from './shared.mjs'

await installDependencies()
superviseChildren(
  spawn(node, [...programArguments, ...process.argv.slice(2)], { ...buildSpawnOptions(), stdio: 'inherit' }),
)
