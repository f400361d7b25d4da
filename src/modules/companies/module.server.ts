import { joinFeatures } from '#server/engine/module.ts'
import { companyImportJob } from './import-run.server.ts'
import { companyRoutes } from './routes.server.ts'

/**
 * These routes replace the resource's default routes, because search results have their own order and the data may come
 * from the public register.
 */
export const companiesModule = joinFeatures('companies', [
  {
    routes: companyRoutes,
    batchJobs: [companyImportJob],
    commands: [
      {
        name: 'import companies',
        help: `  import companies FILE.csv [--resume]
                              update the register of companies from the public register's file (unzipped);
                              an interrupted import continues when the same command is run again`,
        load: async () => (await import('./command.server.ts')).runCompanyImport,
      },
    ],
  },
])
