import type { Module } from '#server/engine/module.ts'
import { commands } from './commands.server.ts'
import { companyImport } from './import-run.server.ts'
import { companyRoutes } from './routes.server.ts'

/** The declaration's list and item are these routes: the look-up's order is no list's, and the register may be elsewhere. */
export const companies: Module = {
  name: 'companies',
  resources: [],
  routes: companyRoutes,
  commands,
  batchJobs: [companyImport],
}
