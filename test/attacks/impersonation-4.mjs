// Attacks on files, documents, actions, notifications, jobs and sessions while provider staff work as a user.
import { attack, finish, signIn } from './portal.mjs'
import { dayIn, rowsOf, sleep, statuses } from './shared/company.mjs'
import { atOnce, run } from './shared/links.mjs'
import { as, described, E, need } from './shared/people.mjs'
import {
  admin,
  boss,
  company,
  employee,
  hr,
  hrp,
  impersonate,
  newAction,
  notRefused,
  people,
  privateFile,
  read,
  requested,
  S,
  worker,
} from './shared/visits.mjs'

await attack('A folder can’t be opened to more people while impersonating an administrator', async () => {
  const { folder, file } = await privateFile()
  const visitor = await impersonate(admin)
  const answer = await visitor.patch(folder, { audience: [], downloads: true })
  const { audience, downloads } = await read(folder)
  if (!audience.length || downloads)
    return `${described(answer).slice(0, 4)} and an employee reads a file of human resources: ${(await worker.get(`${file}/file`)).status}`
})

await attack('A file can’t be moved to a folder with more readers while impersonating an administrator', async () => {
  const { file } = await privateFile()
  const open = need(await admin.post(`${S}/document_folders`, { name: `Open ${run}`, audience: [] }), 201)['@id']
  const visitor = await impersonate(admin)
  const answer = await visitor.patch(file, { folder: open })
  const seen = (await worker.get(`${file}/file`)).status
  if (seen === 200) return `${answer.status}, and an employee reads the file: ${seen}`
})

await attack('A file’s expiry date and reminder can’t be changed while impersonating an administrator', async () => {
  const { file } = await privateFile({ expires: dayIn(40) })
  const visitor = await impersonate(admin)
  const answer = await visitor.patch(file, { expires: '2099-01-01', remindDays: 0 })
  const { expires, remindDays } = await read(file)
  if (expires !== dayIn(40) || remindDays === 0)
    return `${answer.status}: expires ${expires}, reminder ${remindDays} days before`
})

await attack(
  'A corrective action can’t be retired while impersonating an administrator, singly or in bulk',
  async () => {
    const [first, second] = [await newAction(), await newAction()]
    const visitor = await impersonate(admin)
    const answers = [
      await visitor.patch(first['@id'], { retired: true }),
      await visitor.post(`${S}/corrective_actions/bulk`, { action: 'retire', ids: [second.id] }),
    ]
    const retired = [(await read(first['@id'])).retired, (await read(second['@id'])).retired]
    if (retired.includes(true)) return `${statuses(answers)}: open actions are retired: ${retired.join(', ')}`
  },
)

await attack('Events of corrective actions changed while impersonating name the real person', async () => {
  const { '@id': address } = await newAction()
  const visitor = await impersonate(admin)
  need(await visitor.patch(address, { notes: 'Changed' }))
  const events = rowsOf(await admin.get(`${S}/corrective_action_events?order[id]=desc&itemsPerPage=20`)).filter(
    ({ action }) => action === address,
  )
  if (events[0]?.event !== 'Changed') throw new Error('no event')
  if (events[0].author !== 'staff') return `the author is ${events[0].author}`
})

await attack('A policy does not state that its signatory has signed it after an impersonation', async () => {
  const policy = need(await admin.post(`${S}/policies`, { title: `People ${run}`, intent: 'We care.' }), 201)['@id']
  const visitor = await impersonate(admin)
  need(await visitor.patch(policy, { intent: 'We care for people.' }))
  const answer = await visitor.patch(policy, {
    signatory: admin.name,
    jobTitle: 'Managing Director',
    signedOn: dayIn(0),
  })
  const { signatory, signedOn } = await read(policy)
  if (signedOn) return `${answer.status}: signed by ${signatory} on ${signedOn}`
})

await attack('The review date and audience of a document in force can’t be changed while impersonating', async () => {
  const talk = need(
    await admin.post(`${S}/toolbox_talks`, { title: `People ${run}`, points: [{ text: 'Look.' }] }),
    201,
  )['@id']
  need(await admin.patch(talk, { complete: true }))
  need(await admin.post(`${talk}/approve`, {}))
  const visitor = await impersonate(admin)
  return notRefused({
    review: () => visitor.patch(talk, { reviewDue: '2099-01-01' }),
    audience: () => visitor.patch(talk, { audience: ['ROLE_HR'] }),
    reviewed: () => visitor.patch(talk, { reviewed: true }),
    retired: () => visitor.patch(talk, { retired: true }),
  })
})

await attack('The facts that determine a RIDDOR report can’t be changed while impersonating', async () => {
  const site = need(await admin.post(`${S}/incident_sites`, { name: `People ${run}` }), 201)['@id']
  const details = {
    description: 'People test',
    datetime: `${dayIn(-5)}T10:00:00Z`,
    internalLocation: 'Yard',
    site,
    reportedBy: 'Will',
  }
  const incident = need(
    await worker.post(`${S}/incident_reports`, { ...details, personnel: [{ recordType: 'IP', name: 'Will' }] }),
    201,
  )['@id']
  need(await worker.patch(incident, { state: 'reported' }))
  const visitor = await impersonate(admin)
  return notRefused({
    answers: () =>
      visitor.patch(incident, {
        answers: { workRelated: 'no', occurrence: 'no', gasSupplier: 'no', gasFitting: 'no' },
      }),
    harm: () => visitor.patch(incident, { reportedHarm: 'none' }),
    place: () => visitor.patch(incident, { site: null, internalLocation: 'Home' }),
    reporter: () => visitor.patch(incident, { reportedBy: 'Somebody' }),
    cause: () => visitor.patch(incident, { rootCauses: 'The employee' }),
  })
})

await attack('Notifications can’t be read, or their settings weakened, while impersonating', async () => {
  await requested()
  const unread = async () => rowsOf(await boss.get('/api/portal/notices?itemsPerPage=20')).find(({ readAt }) => !readAt)
  for (let waited = 0; waited < 50 && !(await unread()); waited++) await sleep(200)
  const notice = await unread()
  if (!notice) throw new Error('no unread notification')
  const visitor = await impersonate(boss)
  const open = await notRefused({
    read: () => visitor.post(`${notice['@id']}/read`, {}),
    'read all': () => visitor.post('/api/portal/notices/read_all', {}),
    impersonation: () =>
      visitor.put('/api/portal/notices/settings/impersonation.changes', { bell: false, mail: false }),
    leave: () => visitor.put('/api/portal/notices/settings/leave.to-decide', { bell: false, mail: false }),
  })
  return open || ((await read(notice['@id'], boss)).readAt ? 'read' : undefined)
})

await attack('A job of human resources can’t be stopped, resumed or undone while impersonating', async () => {
  const start = async (days) =>
    need(
      await hr.post(`${E}/leave_mass_updates`, {
        kind: 'allowance',
        year: `${new Date().getUTCFullYear()}-01-01`,
        days,
        reason: 'Job',
      }),
      202,
    ).run
  const visitor = await impersonate(hr)
  const job = await start(1)
  const answers = await atOnce(8, (index) =>
    visitor.post(`${job}/${['stop', 'resume', 'undo', 'stop'][index % 4]}`, {}),
  )
  await sleep(2000)
  const { state } = await read(job, hr)
  if (answers.some(({ status }) => status < 300) || state !== 'done') return `${statuses(answers)}: ${state}`
})

await attack('Only the real person’s own sessions can be listed and ended while impersonating', async () => {
  const theirs = rowsOf(await admin.get('/api/security/sessions')).map(({ id }) => id)
  const visitor = await impersonate(admin)
  const listed = rowsOf(await visitor.get('/api/security/sessions')).map(({ id }) => id)
  if (theirs.some((id) => listed.includes(id))) return 'the sessions of the person are listed'
  const answers = await Promise.all(theirs.map((id) => visitor.delete(`/api/security/sessions/${id}`)))
  if (answers.some(({ status }) => status < 300)) return statuses(answers)
  need(await admin.get('/api/security/user_check'))
})

await attack('Impersonation ends when its person leaves the company', async () => {
  const { other } = people
  const visitor = await impersonate(other)
  need(await visitor.get(`${E}/records`))
  need(await hr.post(`${employee.other}/end-employment`, { leavingDate: dayIn(-1), leavingReason: 'resigned' }))
  const { status } = await visitor.get(`${E}/records`)
  need(await hr.post(`${employee.other}/resume-employment`, {}))
  const later = await visitor.get(`${E}/records`)
  need(await admin.patch(other.url, { isRetired: false }))
  const back = await visitor.get(`${E}/records`)
  if ([status, later.status, back.status].includes(200)) return `${status} ${later.status} ${back.status}`
})

await attack(
  'The reseller, employees and other companies can’t impersonate anybody, even with the token of an impersonation',
  async () => {
    const visitor = await impersonate(hr)
    const query = `username=${hrp.username}&client=${company.id}&reason=test`
    for (const who of [
      admin,
      hr,
      worker,
      visitor,
      as((await signIn('reseller.north')).token),
      as((await signIn('admin.care')).token),
    ]) {
      const answer = await who.get(`/api/security/user/switch?${query}`)
      if (answer.status < 400) return described(answer)
    }
  },
)

finish()
