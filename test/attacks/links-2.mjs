// Attacks on links to sign a toolbox talk and on links to answer a form, which work without signing in.
import { attack, call, finish, signIn } from './portal.mjs'
import { anonymous, atOnce, expected, newDrawing, newForm, run, statuses, tokenOf } from './shared/links.mjs'

const admin = await signIn('admin.brick')
const care = await signIn('admin.care')
const { body: me } = await admin.get('/api/security/user_check')
const today = new Date((await admin.get('/api/portal/public')).headers.date).toISOString().slice(0, 10)
const { body: employees } = await admin.get('/api/portal/users?itemsPerPage=100')
const worker = employees['hydra:member'].find(({ username }) => username === 'worker.brick')

/** Creates an open record of a presented talk, and opens its link. */
async function newTalk(user, presenter, names) {
  const { body: talks } = await user.get('/api/safety/toolbox_talks?state=current&itemsPerPage=100')
  const talk = talks['hydra:member'].find(({ client }) => client) ?? talks['hydra:member'][0]
  const record = expected(
    await user.post('/api/safety/toolbox_talk_presenteds', {
      talk: talk['@id'],
      presenter,
      place: 'links',
      date: today,
      startTime: '00:01',
    }),
    201,
    'presented talk',
  )
  const people = names.length
    ? expected(await user.post(`${record['@id']}/people`, { names }), 200, 'people').attendees
    : []
  const { link } = expected(await user.post(`${record['@id']}/link`, {}), 200, 'talk link')
  const at = `/api/safety/shared_talks/${tokenOf(link.address)}`
  expected(await anonymous('POST', `${at}/opened`, {}), 200, 'open')
  const sign = (fields = {}) =>
    anonymous('POST', `${at}/sign`, {
      talk: talk.id,
      read: true,
      strokes: newDrawing(),
      company: 'links Ltd',
      ...fields,
    })
  const attendees = async () => (await user.get(record['@id'])).body.attendees
  return { at, sign, people, attendees, iri: record['@id'] }
}

const form = await newForm(admin)

await attack('a talk can be signed only once per person, and only for people on its record', async () => {
  const talk = await newTalk(admin, me.name, [`links A ${run}`, `links B ${run}`])
  const other = await newTalk(admin, me.name, [`links C ${run}`])
  const [a, b] = talk.people
  const race = await atOnce(20, () => talk.sign({ attendee: a.id, name: a.name }))
  if (race.filter(({ status }) => status === 200).length !== 1) return statuses(race)
  for (const fields of [
    { attendee: b.id, name: 'Somebody else' },
    { attendee: other.people[0].id, name: other.people[0].name },
    { attendee: b.id, name: b.name, read: false },
    { attendee: b.id, name: b.name, talk: 1 },
  ]) {
    const { status } = await talk.sign(fields)
    if (status !== 409) return `${JSON.stringify(fields)} returns ${status}`
  }
  if ((await other.attendees())[0].signedAt) return 'the person of the other record has signed'
})

await attack('a name with an account cannot be added to a talk by link', async () => {
  const talk = await newTalk(admin, me.name, [])
  expected(await talk.sign({ name: `links D ${run}` }), 200, 'a new name')
  const { status } = await talk.sign({ name: worker.name })
  if (status !== 422) return `returns ${status}`
})

await attack(
  'if the company requires signing PINs, a talk can’t be signed by link without the PIN of a person who has one',
  async () => {
    const username = `links.${run}`
    const user = expected(
      await care.post('/api/portal/users', {
        username,
        name: `Links ${run}`,
        email: `${username}@portal.example`,
        roles: ['ROLE_EMPLOYEE'],
      }),
      201,
      'user',
    )
    expected(await care.put(`${user['@id']}/password`, { password: 'window carpet moon' }), 204, 'password')
    const first = await call('POST', '/api/security/login', { body: { username, password: 'window carpet moon' } })
    const reset = `/api/portal/password/reset/${first.body.passwordLink.token}`
    expected(await call('POST', reset, { body: { password: 'Portal-demo-2026' } }), 204, 'own password')
    const person = await signIn(username)
    const { token } = expected(await person.post('/api/security/proof', { password: 'Portal-demo-2026' }), 200, 'proof')
    expected(await call('PUT', '/api/security/signing_pin', { token, body: { pin: '482951' } }), 204, 'PIN')
    const settings = (await care.get('/api/safety/settings')).body['hydra:member'][0]
    const change = async (deviceSignatures) => {
      const { headers } = await care.get(settings['@id'])
      return care.patch(
        settings['@id'],
        { deviceSignatures },
        { headers: { 'content-type': 'application/merge-patch+json', 'if-match': headers.etag } },
      )
    }
    expected(await change('pin'), 200, 'require PINs')
    try {
      const talk = await newTalk(care, 'Joanna Hughes', [user.name])
      const [row] = talk.people
      expected(
        await care.post(`${talk.iri}/sign`, { attendee: row['@id'], method: 'finger', strokes: newDrawing() }),
        422,
        'on the presenter’s device without PIN',
      )
      for (const pin of [undefined, '482951', '04'.repeat(100)]) {
        const { status } = await talk.sign({ attendee: row.id, name: row.name, pin })
        const [stored] = await talk.attendees()
        if (status !== 422 || stored.signedAt)
          return `${status}; user ${stored.user} has signed, by link ${stored.byLink}, PIN ${stored.pinCheck}`
      }
    } finally {
      expected(await change(settings.deviceSignatures), 200, 'restore the setting')
    }
  },
)

await attack('a closed talk cannot be signed by link', async () => {
  const talk = await newTalk(admin, me.name, [])
  expected(await talk.sign({ name: `links E ${run}` }), 200, 'before')
  // A signature that is saved between reading and closing the record changes its ETag.
  const close = async () => {
    for (;;) {
      const ifMatch = { 'if-match': (await admin.get(talk.iri)).headers.etag }
      const response = await admin.put(talk.iri, { complete: true, finishTime: '00:02' }, { headers: ifMatch })
      if (response.status !== 412) return response
    }
  }
  const racing = atOnce(20, (index) => talk.sign({ name: `links F${index} ${run}` }))
  expected(await close(), 200, 'close')
  const accepted = (await racing).filter(({ status }) => status === 200).length
  if ((await talk.sign({ name: `links G ${run}` })).status !== 410) return 'signing is still possible'
  const signed = (await talk.attendees()).filter(({ signedAt }) => signedAt).length
  if (signed !== accepted + 1) return `${accepted + 1} accepted, ${signed} stored`
})

await attack('twenty requests with one key store one form answer', async () => {
  const answers = await atOnce(20, () => form.answer({ key: `links-race-${run}` }))
  if (answers.some(({ status }) => status !== 200)) return statuses(answers)
  if (new Set(answers.map(({ body }) => body.number)).size !== 1 || (await form.count()) !== 1)
    return `${await form.count()} answers`
})

await attack('another answer with a key already used is not reported as received', async () => {
  const key = `links-key-${run}`
  const first = expected(await form.answer({ key, name: 'links First', answers: { what: 'first' } }), 200, 'first')
  const before = await form.count()
  const second = await form.answer({ key, name: 'links Second', answers: { what: 'second' } })
  if (second.status === 200 && (await form.count()) === before)
    return `200 with the receipt ${second.body.number} of ${second.body.name}; the answer of links Second is not stored (${first.number})`
})

await attack('a key used for one form can be used for other forms and clients', async () => {
  const [same, other] = [await newForm(admin), await newForm(care)]
  const key = `links-scope-${run}`
  for (const target of [form, same, other]) {
    const before = await target.count()
    expected(await target.answer({ key }), 200, 'answer')
    if ((await target.count()) !== before + 1) return 'the answer is lost'
  }
})

await attack('a form link refuses other versions, unknown fields and names with an account', async () => {
  const before = await form.count()
  for (const fields of [
    { version: 1 },
    { answers: {} },
    { answers: { what: 'x', other: 'y' } },
    { answers: { what: { a: 1 } } },
    { answers: { what: 'x'.repeat(300) } },
    { name: worker.name },
    { name: '=1+1' },
    { name: '\u200b' },
  ]) {
    const { status } = await form.answer(fields)
    if (![409, 422].includes(status)) return `${JSON.stringify(fields).slice(0, 80)} returns ${status}`
  }
  if ((await form.count()) !== before) return 'an answer is stored'
})

await attack('a form link stops working as soon as it is withdrawn', async () => {
  const fresh = await newForm(admin)
  expected(await fresh.answer(), 200, 'before')
  const racing = atOnce(20, () => fresh.answer())
  expected(await admin.delete(`${fresh.iri}/link`), 200, 'withdraw')
  const accepted = (await racing).filter(({ status }) => status === 200).length
  if ((await fresh.answer()).status !== 410) return 'an answer is accepted'
  if ((await fresh.count()) !== accepted + 1) return `${accepted + 1} accepted, ${await fresh.count()} stored`
  if (expected(await call('GET', fresh.at), 200, 'page').form) return 'the page still shows the form'
  for (const until of ['2020-01-01', '2999-01-01', 'x'])
    if ((await admin.post(`${fresh.iri}/link`, { until })).status !== 422) return `a link until ${until} is created`
})

finish()
