import { problem } from '#kernel/errors.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { listFailedJobs, retryFailedJob } from '#server/jobs/schedules.ts'

const PATH = '/api/portal/failures'

/** Routes for the provider's user administrators to view all clients' failed jobs. Job payloads are not returned. */
const failureRoutes: Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'List failed e-mails, events and scheduled jobs, with the time of the next attempt',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    listOf: 'objects',
    handle: async ({ engine }) => {
      const failures = await listFailedJobs(engine.db)
      return hydraCollection(failures.map((f) => ({ '@id': `${PATH}/${f.id}`, '@type': 'Failure', ...f })))
    },
  },
  {
    method: 'POST',
    path: `${PATH}/{job}/retry`,
    title: 'Retry a failed job now',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: async ({ engine, params }) => {
      if (!(await retryFailedJob(engine, params.job ?? ''))) throw problem.notFound()
      return new RouteResponse(204)
    },
  },
]

export const failedJobs = feature({
  routes: failureRoutes,
})
