import { spawn } from 'node:child_process'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node, program } from './shared.mjs'
import { needWeb } from './web.mjs'

setup()
await needWeb()
liveWith(spawn(node, [...program, 'start', ...process.argv.slice(2)], { ...childOptions(), stdio: 'inherit' }))
