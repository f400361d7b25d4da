import { spawn } from 'node:child_process'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node } from './shared.mjs'

setup()
liveWith(spawn(node, ['src/app/cli.ts', ...process.argv.slice(2)], { ...childOptions(), stdio: 'inherit' }))
