// Attacks on the names under which talks, documents and corrective actions are signed, and on their links.
import { attack, finish } from './portal.mjs'
import { addressOf, dayIn, drawing, mailedToken, need, newTalk, rowsOf, statuses } from './shared/company.mjs'
import { anonymous, atOnce, run, tokenOf } from './shared/links.mjs'
import {
  admin,
  author,
  change,
  colleague,
  company,
  manager,
  newFeed,
  S,
  SECRET,
  shows,
  worker,
} from './shared/rights.mjs'

const withText = async (title, audience) => {
  const text = need(await author.post(`${S}/toolbox_talks`, { title, points: [{ text: SECRET }] }), 201)
  need(await author.post(`${text['@id']}/complete`, { change: 'material' }))
  return need(await admin.post(`${text['@id']}/approve`, { reviewDue: dayIn(200), ...(audience ? { audience } : {}) }))
}
const talk = await withText(`Links ${run}`)
const record = (user, values = {}) =>
  user.post(`${S}/toolbox_talk_presenteds`, {
    talk: talk['@id'],
    presenter: user.name,
    place: 'Yard',
    date: dayIn(0),
    startTime: '07:30',
    ...values,
  })
const drawn = { method: 'finger', strokes: drawing }
const signDocument = (user, text, values) =>
  user.post(`${S}/signatures`, { document: `${S}/documents/${text.id}`, ...drawn, ...values })

await attack('a talk can’t be recorded and signed for a day before its text was in force', async () => {
  const made = await record(worker, { date: dayIn(-300), attendees: [{ name: 'Vic Visitor' }] })
  if (made.status !== 201) return
  const attendee = made.body.attendees[0]['@id']
  const drawnAt = `${dayIn(-300)}T07:35:00Z`
  const signed = await worker.post(`${made.body['@id']}/sign`, { ...drawn, attendee, drawnAt })
  const [row] = need(await admin.get(made.body['@id'])).attendees
  return `the text was approved at ${talk.approvedAt}; a talk of ${made.body.date} is recorded (201), and a signature is stored as drawn at ${row.drawnAt} (${signed.status})`
})

await attack('the finish time and notes of a signed talk can’t be changed without a correction', async () => {
  const values = { finishTime: '07:40', notes: 'Ten minutes', attendees: [{ name: 'Vic Visitor' }] }
  const one = need(await record(worker, values), 201)
  need(await worker.post(`${one['@id']}/sign`, { ...drawn, attendee: one.attendees[0]['@id'] }))
  const start = await change(one['@id'], { startTime: '06:00' }, worker)
  const rest = await change(one['@id'], { finishTime: '12:00', notes: 'Four hours of training' }, worker)
  if (![403, 409].includes(start.status)) return `start time: ${start.status}`
  if (rest.status === 200)
    return `start time ${start.status}, but 200: until ${rest.body.finishTime}, “${rest.body.notes}”, ${rest.body.corrections.length} corrections`
})

await attack('an action can’t be reported by link as done in the name of a colleague with an account', async () => {
  const create = (managerName) =>
    admin.post(`${S}/corrective_actions`, { description: 'Fit a board', managerName, email: addressOf('action') })
  const outside = need(await create('Meera Joshi'), 201)
  const answers = [
    await create(worker.name),
    await create(worker.name.toUpperCase()),
    await change(outside['@id'], { managerName: worker.name }),
  ]
  if (answers.some(({ status }) => status !== 422)) return statuses(answers)
})

await attack('an owner’s report that an action is done can’t be changed before or after its verification', async () => {
  const email = addressOf('closed')
  const values = { description: 'Fit a board', managerName: 'Meera Joshi', email }
  const { '@id': url } = need(await admin.post(`${S}/corrective_actions`, values), 201)
  const at = `${S}/linked_actions/${await mailedToken(email)}`
  const { version } = need(await anonymous('GET', at)).action
  need(await anonymous('POST', `${at}/done`, { proof: 'Fitted', version }))
  const changes = [
    { description: 'Z' },
    { managerName: 'Z' },
    { email: addressOf('z') },
    { owner: worker.id },
    { notes: 'Z' },
  ]
  const attempt = () =>
    Promise.all([...changes, ...changes.map((one) => ({ ...one, retired: true }))].map((one) => change(url, one)))
  const open = await attempt()
  need(await admin.post(`${url}/verify`, { version: (await admin.get(url)).body.version }))
  const answers = [...open, ...(await attempt())]
  const { description, managerName } = (await admin.get(url)).body
  if (answers.some(({ status }) => status !== 409) || description !== 'Fit a board' || managerName !== 'Meera Joshi')
    return statuses(answers)
})

await attack(
  'rows of a new talk can’t be signed in advance by typing, on somebody’s behalf or without the PIN',
  async () => {
    const signed = (name, method) => ({
      name,
      method,
      signedAt: `${dayIn(0)}T07:35:00Z`,
      ...(method === 'finger' ? { strokes: drawing } : {}),
    })
    const refused = [
      await record(worker, { attendees: [signed(colleague.name, 'typed')] }),
      await record(worker, { attendees: [signed(colleague.name, 'on behalf')] }),
    ]
    const early = { ...signed(colleague.name, 'finger'), signedAt: '2020-01-01T00:00:00Z' }
    const [row] = need(await record(worker, { attendees: [early] }), 201).attendees
    const [settings] = rowsOf(await admin.get(`${S}/settings`))
    need(await change(settings['@id'], { deviceSignatures: 'pin' }))
    await colleague.put('/api/security/signing_pin', { pin: '592731' })
    refused.push(await record(worker, { attendees: [signed(colleague.name, 'finger')] }))
    need(await change(settings['@id'], { deviceSignatures: 'drawing' }))
    if (statuses(refused) !== '422 403 422' || row.signedAt < dayIn(0) || row.byName !== worker.name)
      return `${statuses(refused)}, ${JSON.stringify(row)}`
  },
)

await attack(
  'only one of two simultaneous signatures, by one’s own account and on the presenter’s device, is stored',
  async () => {
    const one = need(await record(admin, { attendees: [{ name: worker.name }, { name: 'Vic Visitor' }] }), 201)
    const sign = (user, attendee) => user.post(`${one['@id']}/sign`, { ...drawn, ...(attendee ? { attendee } : {}) })
    const [mine, other] = one.attendees.map((row) => row['@id'])
    const answers = await atOnce(20, (n) => (n % 2 ? sign(worker) : sign(admin, mine)))
    const unlisted = await atOnce(20, () => sign(colleague))
    const refused = [
      await sign(colleague, mine),
      await admin.post(`${one['@id']}/strike`, { attendee: mine }),
      await change(one['@id'], { attendees: [{ '@id': other }] }),
    ]
    const { attendees } = need(await admin.get(one['@id']))
    const counts = [answers, unlisted].map((all) => all.filter(({ status }) => status === 200).length)
    if (counts.join() !== '1,1' || attendees.length !== 3 || refused.some(({ status }) => status !== 409))
      return `${counts.join(', ')}, ${attendees.length} rows, ${statuses(refused)}`
  },
)

await attack(
  'a text for administrators only can’t be presented, signed or requested by others, and its corrections can’t be read',
  async () => {
    const hidden = await withText(`Hidden ${run}`, ['ROLE_CLIENT_ADMIN'])
    const one = need(
      await record(admin, { talk: hidden['@id'], attendees: [{ name: 'Vic Visitor' }, { name: worker.name }] }),
      201,
    )
    need(await admin.post(`${one['@id']}/sign`, { ...drawn, attendee: one.attendees[0]['@id'] }))
    const correction = need(
      await admin.post(`${S}/toolbox_talk_corrections`, { presented: one['@id'], place: 'Z', reason: 'Wrong' }),
      201,
    )
    const refused = [
      await record(worker, { talk: hidden['@id'] }),
      await signDocument(worker, hidden),
      await admin.post(`${S}/sign_offs`, {
        document: `${S}/documents/${hidden.id}`,
        people: [worker.id],
        due: dayIn(9),
      }),
      await worker.post(`${one['@id']}/sign`, drawn),
      await worker.get(correction['@id']),
      await worker.post(`${one['@id']}/people`, { names: ['Nobody Else'] }),
    ]
    if (statuses(refused) !== '400 400 422 404 404 404') return statuses(refused)
  },
)

await attack('only the revision in force can be signed, and a stale approval is refused', async () => {
  const text = need(await author.post(`${S}/toolbox_talks`, { title: `Stale ${run}`, points: [{ text: 'A' }] }), 201)
  const early = [await signDocument(author, text)]
  need(await author.post(`${text['@id']}/complete`, { change: 'material' }))
  early.push(await signDocument(author, text), await change(text['@id'], { title: 'Changed' }, author))
  const { headers } = await admin.get(text['@id'])
  need(await admin.post(`${text['@id']}/reject`, { note: 'Not yet' }))
  const late = [
    await admin.post(`${text['@id']}/approve`, {}, { headers: { 'if-match': headers.etag } }),
    await admin.post(`${text['@id']}/approve`, {}),
    await author.post(`${S}/toolbox_talks`, {
      title: 'Flags',
      points: [{ text: 'A' }],
      complete: true,
      approved: true,
    }),
  ]
  const twice = await atOnce(10, () => signDocument(author, talk))
  if (statuses(early) !== '409 409 409' || statuses(late) !== '412 409 403')
    return `${statuses(early)}, ${statuses(late)}`
  if (twice.filter(({ status }) => status === 201).length !== 1) return `10 signatures at once: ${statuses(twice)}`
})

await attack('drawing for a colleague on one’s own device neither signs the text nor completes a request', async () => {
  const text = await withText(`Requested ${run}`)
  const asked = { document: `${S}/documents/${text.id}`, people: [colleague.id, worker.id], due: dayIn(9) }
  const request = need(await admin.post(`${S}/sign_offs`, asked), 201)
  const states = async () => {
    const people = rowsOf(await admin.get(`${S}/sign_off_people?request=${request.id}`))
    return people
      .map(({ user, state }) => `${user.name}: ${state}`)
      .sort()
      .join(', ')
  }
  const one = need(await record(worker, { talk: text['@id'], attendees: [{ name: colleague.name }] }), 201)
  need(await worker.post(`${one['@id']}/sign`, { ...drawn, attendee: one.attendees[0]['@id'] }))
  const inName = await signDocument(worker, text, { name: colleague.name })
  const after = await states()
  need(await worker.post(`${one['@id']}/sign`, drawn))
  if (inName.status !== 403 || after !== 'Will Worker: asked, Xena Worker: asked') return `${inName.status}, ${after}`
  if ((await states()) !== 'Will Worker: signed, Xena Worker: asked') return await states()
})

await attack('tokens of feeds and talks can’t open a page of another kind', async () => {
  const shared = await newTalk(admin, talk, ['Vic Visitor'])
  const tokens = [tokenOf((await newFeed(worker)).at), tokenOf(shared.at)]
  const pages = [
    'shared_sites',
    'linked_statements',
    'linked_actions',
    'asked_rams',
    'shared_forms',
    'shared_documents',
    'shared_packs',
  ]
  const paths = [
    ...pages.map((page) => `safety/${page}`),
    'financial/payments',
    'email/unsubscribe',
    'portal/password/reset',
  ]
  const answers = await Promise.all(
    paths.flatMap((path) => tokens.map((token) => anonymous('GET', `/api/${path}/${token}`))),
  )
  if (answers.some(({ status }) => status !== 404)) return statuses(answers)
  if (!(await anonymous('GET', shared.at)).body.talk) return 'the link of the talk does not work'
})

await attack('a retired company’s calendar feed stops working, as its other links do', async () => {
  const [feed, shared] = [await newFeed(worker), await newTalk(admin, talk, ['Vic Visitor'])]
  if (!shows(await feed.read())) return 'the feed does not work'
  need(await change(company['@id'], { retired: true }, manager))
  const [after, other] = [await feed.read(), await anonymous('GET', shared.at)]
  need(await change(company['@id'], { retired: false }, manager))
  if (other.status !== 404) return `link of a talk: ${other.status}`
  if (after.status === 200)
    return `the link of a talk is unknown (404), but the feed answers 200 with ${after.text.match(/SUMMARY.*/)?.[0].trim()}`
})

finish()
