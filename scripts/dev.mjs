// The server restarts and the web reloads when sources change. Vite's address is the one to open.
import { spawn } from 'node:child_process'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node, program } from './shared.mjs'

await setup()
const options = { ...childOptions(), stdio: 'inherit' }
const server = ['--watch', '--watch-preserve-output', ...program, 'start', ...process.argv.slice(2)]
liveWith(spawn(node, server, options), spawn('vite', ['--clearScreen', 'false'], options))
