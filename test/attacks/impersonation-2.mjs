// Attacks on the end of an impersonation and on its records: each names the real person.
import { attack, finish, signIn } from './portal.mjs'
import {
  addUser,
  admin,
  as,
  BRICK,
  CARE,
  care,
  described,
  impersonate,
  impersonateWithChanges,
  MERGE,
  manager,
  mark,
  members,
  need,
  newAction,
  retireUsers,
  staff,
  stateOf,
  switchTo,
  worker,
} from './shared/impersonation.mjs'

await attack('All tokens of an impersonation end with it', async () => {
  const impersonator = await impersonate('admin.brick')
  const changing = as(need(await impersonator.post('/api/security/user/write', { reason: 'impersonation' })).token)
  const proven = as(need(await changing.post('/api/security/proof', { password: 'Portal-demo-2026' })).token)
  for (const session of [impersonator, changing, proven])
    if ((await stateOf(session)) !== 200) return 'a token of the impersonation is not valid'
  const back = need(await impersonator.get('/api/security/user/unswitch'))
  if (back.user.username !== 'staff') return `back as ${back.user.username}`
  for (const session of [impersonator, changing, proven])
    if ((await stateOf(session)) !== 401) return 'a token outlives the impersonation'
  if ((await stateOf(staff)) !== 200) return 'the impersonator’s own session has ended'
})

await attack('A new impersonation ends the previous one and does not inherit its permission for changes', async () => {
  const former = await impersonateWithChanges('admin.brick')
  const next = need(await switchTo(staff, 'worker.brick', BRICK))
  if (next.user.impersonation.writes) return 'the next impersonation allows changes'
  if ((await stateOf(former)) !== 401) return 'the former impersonation is still open'
  const same = need(await switchTo(staff, 'worker.brick', BRICK, 'impersonation again'))
  if (same.user.impersonation.writes) return 'a repeated impersonation allows changes'
})

await attack('Only one of 20 impersonations started simultaneously in one session is open', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => switchTo(staff, ...(at % 2 ? ['admin.brick', BRICK] : ['admin.care', CARE]))),
  )
  const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => as(body.token))
  if (!tokens.length) return 'no impersonation started'
  const names = await Promise.all(
    tokens.map(async (session) => (await session.get('/api/security/user_check')).body.username),
  )
  const open = new Set(names.filter(Boolean))
  if (open.size > 1) return `impersonations of ${[...open].join(' and ')} are open together`
})

await attack('An impersonation ends when its user is retired', async () => {
  const user = await addUser()
  const impersonator = await impersonate(user.username)
  if ((await stateOf(impersonator)) !== 200) return 'the impersonation did not start'
  need(await admin.patch(user['@id'], { isRetired: true }, MERGE))
  if ((await stateOf(impersonator)) !== 401) return 'the impersonation is still open'
})

await attack('Only the client can read who impersonated which user and why', async () => {
  const reason = `${mark} reason`
  const impersonator = await impersonate('worker.brick', BRICK, { reason })
  need(await impersonator.get('/api/security/user/unswitch'))
  const found = members(await admin.get('/api/portal/visits?order[id]=desc&itemsPerPage=100')).find(
    (row) => row.reason === reason,
  )
  if (found?.visitorUsername !== 'staff' || found.asUsername !== 'worker.brick' || !found.endedAt)
    return JSON.stringify(found)
  if (members(await care.get('/api/portal/visits?itemsPerPage=100')).some((row) => row.reason === reason))
    return 'another client reads it'
  for (const [who, status] of [
    [care, 404],
    [worker, 403],
    [staff, 403],
  ]) {
    const answer = await who.get(found['@id'])
    if (answer.status !== status) return described(answer)
  }
})

await attack(
  'Reading during impersonation records no sign-in, version seen or document opened for the person',
  async () => {
    const id = need(await worker.get('/api/security/user_check')).id
    const read = async () =>
      JSON.stringify([
        need(await admin.get(`/api/portal/users/${id}`)).lastLoginAt,
        members(await admin.get('/api/portal/version_controls?itemsPerPage=100')).filter(({ user }) =>
          user.endsWith(`/${id}`),
        ),
        members(await admin.get('/api/safety/document_openings?itemsPerPage=100')).filter(
          ({ username }) => username === 'worker.brick',
        ),
      ])
    const before = await read()
    const impersonator = await impersonate('worker.brick')
    const [document] = members(await impersonator.get('/api/safety/documents/to_sign'))
    need(await impersonator.get(`/api/safety/documents/${document.id}/pack`))
    const version = await impersonator.get('/api/portal/version_controls/product_version')
    if (version.body?.code !== 'visit_read_only') return described(version)
    need(await impersonator.get('/api/portal/notices/inbox'))
    if ((await read()) !== before) return 'a record of the person has changed'
  },
)

await attack('Records written during impersonation name the real person', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  const action = need(await impersonator.post('/api/safety/corrective_actions', newAction()), 201)
  need(await impersonator.post(`${action['@id']}/start`, {}))
  const events = members(await admin.get(`/api/safety/corrective_action_events?action=${action.id}`))
  if (action.author !== 'staff' || events.length !== 2 || events.some(({ author }) => author !== 'staff'))
    return JSON.stringify(events)
  const draft = need(await impersonator.post('/api/safety/risk_assessments', {}), 201)
  if (draft.author !== 'staff' || draft.lastEditBy !== 'staff') return `${draft.author}, ${draft.lastEditBy}`
  const run = need(await impersonator.post('/api/portal/exports', { from: '/api/portal/users', format: 'csv' }), 202)
  if (run.author !== 'staff') return `the export is by ${run.author}`
  for (const who of [staff, manager])
    if ((await who.get(run['@id'])).status !== 404)
      return 'the impersonator reads the client’s export from their own session'
})

await attack('The log of an impersonation with changes never states that there were none', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  need(await impersonator.post('/api/safety/corrective_actions', newAction()), 201)
  need(await impersonator.get('/api/security/user/unswitch'))
  const [latest] = members(await admin.get('/api/portal/visits?order[id]=desc&visitorUsername=staff&itemsPerPage=1'))
  if (!latest?.changesAllowedAt) throw new Error(JSON.stringify(latest))
  if (latest.changes === 0) return `${latest['@id']} has ended with changes: 0, changed: "${latest.changed}"`
})

await attack('A support ticket written during impersonation names the real person', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  const body = { subject: `${mark} ticket`, message: 'Written by the provider’s staff', email: 'staff@portal.example' }
  const ticket = need(await impersonator.post('/api/portal/support_tickets', body), 201)
  if (ticket.author !== 'staff' || ticket.user) return `recorded as written by ${ticket.name}, ${ticket.author}`
})

await attack('A view can’t be shared with the company during impersonation', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  const body = {
    list: '/api/safety/documents',
    name: `${mark} view`.slice(0, 60),
    sharing: 'everybody',
    query: 'state=current',
  }
  const view = await impersonator.post('/api/portal/saved_views', body)
  if (view.body?.code !== 'in_person') return described(view)
})

await attack('Each of two overlapping impersonations lists only its own changes', async () => {
  const sessions = [staff, await signIn('staff')]
  const reasons = sessions.map((_, at) => `${mark} overlapping ${at}`)
  const [first, second] = await Promise.all(
    sessions.map((who, at) => impersonateWithChanges('admin.brick', BRICK, { who, reason: reasons[at] })),
  )
  need(await first.patch(`/api/portal/clients/${BRICK}`, { city: mark }, MERGE))
  for (const session of [first, second]) need(await session.get('/api/security/user/unswitch'))
  const logged = members(await admin.get('/api/portal/visits?order[id]=desc&itemsPerPage=100'))
  const counts = reasons.map((reason) => logged.find((row) => row.reason === reason).changes)
  // Null until they are counted, which can take a quarter of an hour.
  if (counts[0] === 0 || counts[1] > 0) return `counted as ${counts.join(' and ')} instead of 1 and 0`
})

await attack('The stream of notifications is refused during impersonation, and their counts are not', async () => {
  const session = await impersonate('worker.brick')
  need(await session.get('/api/portal/notices/summary'))
  const refused = await session.get('/api/portal/notices/summary', undefined, {
    headers: { accept: 'text/event-stream' },
  })
  if (refused.status !== 403 || /mark/.test(refused.body.detail)) return described(refused)
})

await retireUsers()
finish()
