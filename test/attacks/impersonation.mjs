// Attacks on impersonation: who may work as whom, and writing requests that must be refused.
import { attack, call, finish } from './portal.mjs'
import {
  addUser,
  admin,
  approver,
  BRICK,
  CARE,
  care,
  described,
  impersonate,
  impersonateWithChanges,
  MERGE,
  mark,
  members,
  need,
  newAction,
  office,
  PROVIDER,
  reseller,
  retireUsers,
  staff,
  switchTo,
  worker,
} from './shared/impersonation.mjs'

const NO_SUCH_ID = '99999999'
const { paths } = need(await call('GET', '/api/docs.json'))
const writes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
    .filter(() => !/\/login|logout|security\/renew/.test(path))
    .map((method) => [method.toUpperCase(), path.replace(/\{[^}]+\}/g, NO_SUCH_ID)]),
)

/** Sends an empty request to every writing path, and returns each response with its request. */
async function sendEverything(session) {
  const answers = []
  for (let from = 0; from < writes.length; from += 8)
    answers.push(
      ...(await Promise.all(
        writes.slice(from, from + 8).map(async ([method, path]) => {
          const content = method === 'PATCH' ? MERGE : {}
          const body = method === 'DELETE' ? undefined : {}
          const answer = await call(method, path, { token: session.token, body, ...content })
          return { request: `${method} ${path}`, ...answer }
        }),
      )),
    )
  return answers
}

await attack('A client’s user, a reseller or an employee can’t work as another user', async () => {
  need(await switchTo(staff, 'worker.brick', BRICK))
  for (const who of [admin, worker, office, care, reseller]) {
    const answer = await switchTo(who, 'worker.brick', BRICK)
    if (answer.status !== 403) return described(answer)
  }
})

await attack('Nobody can work as provider staff, as a retired user, or as a user of the wrong client', async () => {
  const retired = await addUser()
  need(await admin.patch(retired['@id'], { isRetired: true }, MERGE))
  for (const [username, client] of [
    ['manager', PROVIDER],
    ['finance', PROVIDER],
    ['admin.brick', CARE],
    [retired.username, BRICK],
  ]) {
    const answer = await switchTo(staff, username, client)
    if (answer.status !== 404) return `${username}: ${described(answer)}`
  }
})

await attack('An impersonator can’t start another impersonation', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  const answer = await switchTo(impersonator, 'worker.brick', BRICK)
  if (answer.status !== 403) return described(answer)
})

await attack('A read-only impersonation refuses every writing request', async () => {
  for (const username of ['admin.brick', 'office.brick']) {
    const answers = await sendEverything(await impersonate(username))
    const readOnly = answers.filter(({ body }) => body?.code === 'visit_read_only').length
    if (readOnly < 100) return `only ${readOnly} answers are visit_read_only for ${username}`
    const done = answers.filter(({ status }) => status < 400 || status >= 500)
    if (done.length) return done.map(({ request, status }) => `${request} ${status}`).join(', ')
  }
})

await attack('Changes need a reason that is not blank', async () => {
  const impersonator = await impersonate('admin.brick')
  for (const body of [{}, { reason: '' }, { reason: '   ' }, { reason: null }, { reason: 1 }]) {
    const answer = await impersonator.post('/api/security/user/write', body)
    if (![400, 422].includes(answer.status)) return `${JSON.stringify(body)}: ${described(answer)}`
  }
  if ((await impersonator.post('/api/safety/corrective_actions', newAction())).status !== 403)
    return 'the impersonation allows changes'
  const own = await staff.post('/api/security/user/write', { reason: 'impersonation' })
  if (own.status < 400) return `without an impersonation: ${described(own)}`
})

await attack(
  'Decisions, signatures, links, rules and credentials are refused even if changes are allowed',
  async () => {
    const impersonator = await impersonateWithChanges('admin.brick')
    const kinds = [
      'risk_assessments',
      'method_statements',
      'toolbox_talks',
      'coshh_assessments',
      'policies',
      'rams_packs',
    ]
    const decisions = kinds.flatMap((kind) =>
      ['approve', 'reject', 'withdraw'].map((act) => `safety/${kind}/${NO_SUCH_ID}/${act}`),
    )
    const others = [
      'safety/signatures',
      'safety/documents/ID/signing_link',
      'safety/documents/ID/links',
      'safety/document/send',
    ]
    others.push(
      'safety/toolbox_talk_presenteds/ID/sign',
      'safety/toolbox_talk_presenteds/ID/absent',
      'safety/sign_offs/ID/excuse',
    )
    others.push(
      'safety/sign_offs',
      'safety/rams_requests/ID/accept',
      'safety/custom_form_answers',
      'safety/custom_forms/ID/publish',
    )
    others.push('safety/corrective_actions/ID/complete', 'safety/corrective_actions/ID/verify', 'safety/risk_matrices')
    others.push(
      'portal/users',
      'portal/users/ID/invite',
      'portal/users/ID/confirm-waiting',
      'portal/users/ID/cancel-waiting',
    )
    others.push('portal/runs/ID/undo', 'portal/runs/ID/resume', 'portal/alert_rules', 'portal/notices/read_all')
    others.push(
      'security/second_factor/app',
      'security/second_factor/passkeys',
      'security/second_factor/recovery_codes',
    )
    for (const path of [...decisions, ...others]) {
      const answer = await impersonator.post(`/api/${path.replace('ID', NO_SUCH_ID)}`, {})
      if (answer.body?.code !== 'in_person') return `${path}: ${described(answer)}`
    }
    const pin = await impersonator.put('/api/security/signing_pin', { pin: '2846' })
    if (pin.body?.code !== 'in_person') return described(pin)
  },
)

await attack('Money, e-mails and approvals are refused while working as a finance user', async () => {
  const impersonator = await impersonateWithChanges('office.brick')
  const acts = [
    'invoices/ID/issue',
    'invoices/ID/send',
    'invoices/ID/void',
    'invoices/ID/write-off',
    'invoices/ID/pay-link',
  ]
  acts.push(
    'charges',
    'charges/ID/refund',
    'charges/ID/reverse',
    'refunds',
    'refunds/ID/approve',
    'finance_requests/ID/approve',
  )
  acts.push(
    'discount_approvals/ID/approve',
    'quotes/ID/send',
    'quotes/ID/accept-by-phone',
    'credit_notes',
    'bank_statements',
  )
  acts.push(
    'bank_lines/ID/book',
    'customers/ID/balance',
    'ledger_locks',
    'vat_returns/ID/submit',
    'subscriptions/ID/cancel',
  )
  for (const act of acts) {
    const answer = await impersonator.post(`/api/financial/${act.replace('ID', NO_SUCH_ID)}`, {})
    if (answer.body?.code !== 'in_person') return `${act}: ${described(answer)}`
  }
  for (const [list, action] of [
    ['invoices', 'send'],
    ['customers', 'sendStatement'],
    ['overdue', 'remind'],
    ['bank_lines', 'book'],
  ]) {
    const answer = await impersonator.post(`/api/financial/${list}/bulk`, { action, ids: [Number(NO_SUCH_ID)] })
    if (answer.body?.code !== 'in_person') return `bulk ${action}: ${described(answer)}`
  }
})

await attack(
  'A corrective action can be completed only by its person, not by an impersonator, even with the same idempotency key',
  async () => {
    const action = need(await admin.post('/api/safety/corrective_actions', newAction()), 201)
    const key = { headers: { 'idempotency-key': `${mark}-complete` } }
    const impersonator = await impersonateWithChanges('admin.brick')
    const path = `${action['@id']}/complete`
    const first = await impersonator.post(path, { proof: 'done' }, key)
    if (first.body?.code !== 'in_person') return described(first)
    need(await admin.post(path, { proof: 'done' }, key))
    const again = await impersonator.post(path, { proof: 'done' }, key)
    if (again.body?.code !== 'in_person') return `replayed: ${described(again)}`
  },
)

await attack(
  'A person’s idempotency key returns no response to an impersonator, a colleague or another client',
  async () => {
    const key = { headers: { 'idempotency-key': `${mark}-create` } }
    const body = newAction()
    const mine = need(await admin.post('/api/safety/corrective_actions', body, key), 201)
    if (need(await admin.post('/api/safety/corrective_actions', body, key), 201).id !== mine.id)
      return 'a repeat creates a second record'
    const impersonator = await impersonateWithChanges('admin.brick')
    for (const who of [impersonator, approver, care]) {
      const answer = need(await who.post('/api/safety/corrective_actions', body, key), 201)
      if (answer.id === mine.id) return `answered with the record of another person: ${answer.id}`
    }
  },
)

await attack('The public pages of links refuse the token of an impersonation', async () => {
  const impersonator = await impersonateWithChanges('admin.brick')
  const acts = 'documents/x/sign talks/x/sign packs/x/answer forms/x/answers'
    .split(' ')
    .map((act) => `safety/shared_${act}`)
  for (const path of [...acts, 'safety/linked_actions/x/done', 'financial/acceptances/x/accept']) {
    const answer = await impersonator.post(`/api/${path}`, {})
    if (answer.body?.code !== 'in_person') return `${path}: ${described(answer)}`
  }
})

await attack('An impersonator can’t read a link by which people sign without signing in', async () => {
  const documents = members(await admin.get(`/api/safety/documents?state=current&client=${BRICK}&itemsPerPage=100`))
  const path = `/api/safety/documents/${documents[0].id}/signing_link`
  need(await admin.get(path))
  for (const impersonator of [await impersonate('admin.brick'), await impersonateWithChanges('admin.brick')])
    for (const address of [path, `${path}/poster`]) {
      const answer = await impersonator.get(address)
      if (answer.body?.code !== 'in_person') return described(answer)
    }
})

await attack('Users, their roles and the approval rule can’t be changed during impersonation', async () => {
  const user = await addUser()
  const impersonator = await impersonateWithChanges('admin.brick')
  need(await impersonator.patch(user['@id'], { telephone: '01632 960999' }, MERGE))
  const changes = [
    { roles: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'] },
    { roles: ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'] },
  ]
  changes.push({ email: 'x@portal.example' }, { username: `${mark}.renamed` }, { name: 'Changed' }, { isRetired: true })
  for (const change of changes) {
    const answer = await impersonator.patch(user['@id'], change, MERGE)
    if (answer.status !== 403) return `${JSON.stringify(change)}: ${described(answer)}`
  }
  const bulk = need(await impersonator.post('/api/portal/users/bulk', { action: 'retire', ids: [user.id] }))
  if (bulk.done.length || bulk.refused[0]?.code !== 'in_person') return JSON.stringify(bulk)
  const rule = await impersonator.patch(`/api/portal/clients/${BRICK}`, { forbidSelfApproval: true }, MERGE)
  if (rule.body?.code !== 'in_person') return described(rule)
  const credentials = [
    ['put', 'password'],
    ['delete', 'second_factor'],
    ['delete', 'signing_pin'],
  ]
  for (const [method, path] of credentials) {
    const answer = await impersonator[method](`${user['@id']}/${path}`)
    if (answer.body?.code !== 'in_person') return described(answer)
  }
})

await retireUsers()
finish()
