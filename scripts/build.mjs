// Builds dist/web and dist/server.
import { prepareServerProgram } from './server.mjs'
import { installDependencies } from './setup.mjs'
import { ensureWebBuild } from './web.mjs'

await installDependencies()
await ensureWebBuild()
await prepareServerProgram()
