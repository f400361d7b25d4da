import { problem } from '#kernel/errors.ts'
import { link } from '#kernel/fields.ts'
import { feature } from '#server/engine/module.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { decideDuplicatePair, pairBehaviour } from './pair.server.ts'
import { duplicatePair } from './pair.ts'
import { duplicateSearchJob } from './sweep.server.ts'

const duplicateRoutes = [
  routeWith(
    {
      lead: link(() => contact, { required: true }),
      other: link(() => contact, { required: true }),
    },
    {
      method: 'POST',
      path: `${duplicatePair.url}/keep-separate`,
      title: 'Mark two leads as separate',
      allow: 'ROLE_STAFF',
      refuses: [409],
      handle: (c) =>
        c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const { lead, other } = c.input
          if (lead === other) throw problem.conflict('Please choose two different leads.')
          await decideDuplicatePair(unit, lead, other, 'separate')
          return () => ({ state: 'separate' })
        }),
    },
  ),
  routeWith(
    {},
    {
      method: 'POST',
      path: `${duplicatePair.url}/sweep`,
      title: 'Search all leads for duplicates',
      allow: 'ROLE_LEADS_ADMIN',
      refuses: [409],
      handle: (c) =>
        c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const id = await startBatchJob(unit, duplicateSearchJob, {})
          return () => new RouteAnswer(202, { run: `/api/portal/runs/${id}`, id })
        }),
    },
  ),
]

export const duplicates = feature({
  resources: [duplicatePair],
  behaviours: [pairBehaviour],
  routes: duplicateRoutes,
  batchJobs: [duplicateSearchJob],
})
