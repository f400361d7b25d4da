import { createDownloadsRoute } from '#modules/portal/downloads/downloads.server.ts'
import { feature } from '#server/engine/module.ts'
import { HR_ROLES } from '../rights.ts'
import { HR_DOWNLOADS_URL, RETIRED_HR_DOWNLOADS_URL } from './hr-downloads.ts'

const ofTemplates = { allow: HR_ROLES, mark: 'hrTemplates' } as const

/** HR templates of the provider and the company: files in folders with the mark, under the access rules of files. */
export const hrDownloads = feature({
  pack: 'employees',
  routes: [
    createDownloadsRoute({
      ...ofTemplates,
      path: HR_DOWNLOADS_URL,
      title: 'List the HR templates of the provider and the company by folder',
    }),
    createDownloadsRoute({
      ...ofTemplates,
      path: RETIRED_HR_DOWNLOADS_URL,
      title: 'List the retired HR templates by folder',
      retired: true,
    }),
  ],
})
