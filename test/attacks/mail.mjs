// Attacks on received e-mail: signatures, repeated and forged replies, personal links in replies, bounces and automatic
// replies.
import { attack, finish } from './portal.mjs'
import {
  admin,
  answer,
  answersOf,
  approver,
  care,
  deliver,
  file,
  idOf,
  LATER,
  manager,
  multipart,
  now,
  plain,
  RUN,
  sendToLead,
  sent,
  sentTo,
  staff,
  store,
  sum,
  times,
} from './shared/mail.mjs'

await attack('received e-mail with an old, future or damaged signature, or another message, is refused', async () => {
  const email = answer('', 'signed')
  const attempts = {
    old: { at: now() - 3600 },
    future: { at: now() + 3600 },
    exponent: { at: `${now()}e0` },
    'two times': { signature: `t=${now() - 9999},t=${now()},v1=${sum(now(), Buffer.from(email).toString('base64'))}` },
    'another secret': {
      signature: `t=${now()},v1=${sum(now(), Buffer.from(email).toString('base64'), 'x'.repeat(32))}`,
    },
    'no text': { signature: '' },
    'another message': { message: Buffer.from(answer('', 'changed')).toString('base64') },
  }
  for (const [name, options] of Object.entries(attempts)) {
    const { status } = await deliver(email, options)
    if (status !== 403) return `${name}: ${status}`
  }
  if (!(await deliver(email)).body.taken) return 'not checked: the right signature is refused'
})

await attack('a reply delivered 20 times simultaneously is stored once', async () => {
  const email = answer('', 'twenty times')
  const answers = await Promise.all(times(20, () => deliver(email)))
  if (answers.some(({ status }) => status >= 500)) return answers.map(({ status }) => status).join(' ')
  const stored = (await answersOf(sent)).filter(({ body }) => body === 'twenty times').length
  if (stored !== 1) return `stored ${stored} times`
})

await attack('a reply with the Message-ID of a reply to another e-mail is not lost', async () => {
  const [own, other] = [`${RUN}own`, await sendToLead('other')]
  await deliver(answer('', 'first', { own }))
  await deliver(answer('', 'second', { own, id: other.id }))
  if (!(await answersOf(other)).some(({ body }) => body === 'second')) return 'the second answer is not stored'
})

await attack('an invented Message-ID can’t attach an e-mail to a lead, another company or another e-mail', async () => {
  const [, company, number, code] = sent.id.match(/letter\.(\d+)\.(\d+)\.(\w+)/)
  const invented = [
    `<letter.${company}.${number}.${'0'.repeat(code.length)}@localhost>`,
    `<letter.1.${number}.${code}@localhost>`,
    `<letter.${company}.${Number(number) - 1}.${code}@localhost>`,
    `<letter.${company}.${number}@localhost>`,
    `<letter.${company}.${number}.@localhost>`,
  ]
  for (const id of invented) if ((await deliver(answer('', 'forged', { id }))).body.taken) return id
})

await attack('the sender of a reply is its address, not the address in its display name', async () => {
  const { sender } = await store(answer('', 'x', { from: '"manager@portal.example" <eve@evil.example>' }))
  if (sender !== 'eve@evil.example') return sender
})

await attack('encoded line breaks and control characters in a subject and name are stored on one line', async () => {
  const subject = '=?utf-8?q?a=0D=0ABcc:_x@y.example=00=07?='
  const stored = await store(answer('', 'x', { subject, from: `=?utf-8?q?A=0D=0AB?= <${sent.email}>` }))
  if (/\p{Cc}/u.test(`${stored.subject}${stored.sender}`)) return JSON.stringify(stored.subject)
})

const recipient = 'mail-third@sub.example'
await care.post('/api/safety/rams_requests', {
  company: `${RUN} Ltd`,
  person: 'Pat',
  email: recipient,
  job: RUN,
  due: LATER,
})
const invitation = await sentTo(recipient)
const link = invitation.match(/https?:\S+rams-asked\/\S+/)[0]
const token = link.split('/').pop()
const toInvitation = { id: idOf(invitation), from: `Pat <${recipient}>` }

/** Delivers a reply to the invitation, and returns the text that the company's administrator reads. */
async function readByAdministrator(email) {
  const { body } = await deliver(email)
  if (!body.taken) throw new Error(`the answer is not stored: ${body.why}`)
  const list = await care.get('/api/email/messages?order[id]=desc&itemsPerPage=5')
  return list.body['hydra:member'].find(({ incoming }) => incoming)
}
const showsLink = async (email) => JSON.stringify(await readByAdministrator(email)).includes(token)

await attack('the personal link of an invitation is not stored with a reply that quotes it', async () => {
  const html = (text) => answer('Content-Type: text/html\r\n', text, toInvitation)
  const emails = {
    quoted: answer('', `Yes\r\n\r\nOn Monday Portal wrote:\r\n> ${link}\r\n`, toInvitation),
    unquoted: answer('', `Yes, I used ${link} today`, toInvitation),
    'in parts': html(`<p><span>${link.slice(0, 20)}</span><span>${link.slice(20)}</span></p>`),
    'in a checked link': html(`<a href="https://safe.example/?url=${encodeURIComponent(link)}">here</a>`),
    'attached e-mail': multipart([plain('Yes'), `Content-Type: message/rfc822\r\n\r\n${invitation}`], toInvitation),
    'attached text': multipart([plain('Yes'), file('a.txt', 'text/plain', link)], toInvitation),
  }
  for (const [name, email] of Object.entries(emails)) if (await showsLink(email)) return name
})

await attack('the personal link is not stored in a reply’s subject or file name', async () => {
  if (await showsLink(answer('', 'Yes', { ...toInvitation, subject: `Re: ${link}` })))
    return `an administrator reads the link in the subject: ${link.replace(token, '…')}`
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const named = file(`${token}.png`, 'image/png', Buffer.from(picture, 'base64'))
  if (await showsLink(multipart([plain('Yes'), named], toInvitation))) return 'the name of a file'
})

await attack('the secret of a personal link is not stored, even alone or without “http://”', async () => {
  const found = []
  for (const text of [link.replace(/^https?:\/\//, ''), token, link.replace('http', 'hxxp')])
    if (await showsLink(answer('', `I opened ${text}`, toInvitation))) found.push(text.replace(token, '…'))
  if (found.length) return `an administrator reads the secret in: ${found.join(', ')}`
})

await attack('a long reply to an invitation is stored in full, or marked as incomplete', async () => {
  const stored = await readByAdministrator(answer('', `${'word '.repeat(6000)}END`, toInvitation))
  const { files, remarks } = stored.received
  if (stored.body.includes('END') || files.length) return
  if (remarks.some((remark) => /all of it is in the attached/i.test(remark)))
    return `${stored.body.length} of 30,003 characters are stored, no file is, and the remark says “${remarks[0]}”`
})

await attack('a witness’s e-mail reply is hidden from administrators who may not read health details', async () => {
  const report = await admin.post('/api/safety/incident_reports', {
    addressLine1: '1 Site Road',
    city: 'Leeds',
    county: 'Leeds',
    noPostcode: true,
    nation: 'greatBritain',
    description: RUN,
    datetime: new Date(Date.now() - 86400e3).toISOString(),
    internalLocation: 'Yard',
    reportedBy: 'Dawn',
    state: 'reported',
    personnel: [{ recordType: 'WT', name: `Witness ${RUN}` }],
  })
  const email = 'mail-witness@sub.example'
  const person = report.body.personnel?.[0]['@id']
  const request = await admin.post('/api/safety/incident_statement_requests', { person, email })
  if (request.status !== 201) return `not checked: ${report.status} ${request.status}`
  const id = idOf(await sentTo(email))
  await deliver(answer('', `Private Name lost a hand. ${RUN} private`, { id, from: email }))
  const reads = async (user) =>
    (await user.get('/api/email/messages?order[id]=desc&itemsPerPage=10')).text.includes(`${RUN} private`)
  if (!(await reads(admin))) return 'not checked: the reader of health details doesn’t see the answer'
  const listed = await approver.get('/api/safety/incident_statement_requests')
  if (await reads(approver))
    return `an administrator who may not read the request (${listed.status}) reads the witness’s answer`
})

const report = ({ id, email }, { action = 'failed', code = '5.1.1', to = email }) =>
  `From: MAILER-DAEMON@x.example\r\nTo: portal@localhost\r\nSubject: Undelivered\r\nMessage-ID: <${Math.random()}@x>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; ${to}\r\nAction: ${action}\r\nStatus: ${code}\r\nDiagnostic-Code: smtp; 550 <b>no</b>\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: ${id}\r\nTo: ${email}\r\n\r\nx\r\n--b--\r\n`
const suppressed = async (email) =>
  JSON.stringify((await manager.get('/api/email/suppressions?order[id]=desc&itemsPerPage=20')).body).includes(email)

await attack('a delay, a success or a failure of another address doesn’t mark an e-mail as undelivered', async () => {
  for (const values of [
    { action: 'delayed', code: '4.4.1' },
    { action: 'delivered', code: '2.0.0' },
    { to: 'else@y.example' },
  ]) {
    await deliver(report(sent, values))
    const { state } = (await staff.get(sent.message)).body
    if (state !== 'sent') return `${JSON.stringify(values)}: ${state}`
  }
  if (await suppressed(sent.email)) return 'the address is suppressed'
})

await attack('a full mailbox doesn’t stop e-mails to an address, but an unknown address does', async () => {
  const [full, unknown] = [await sendToLead('full'), await sendToLead('unknown')]
  await deliver(report(full, { code: '4.2.2' }))
  await deliver(report(unknown, {}))
  if ((await staff.get(unknown.message)).body.state !== 'bounced') return 'not checked: no bounce is recorded'
  if (!(await suppressed(unknown.email))) return 'not checked: the unknown address is not suppressed'
  if (await suppressed(full.email)) return 'the address of a full mailbox is suppressed'
})

await attack(
  'automatic replies are marked as such, and “Auto-Submitted: no” and STOP count as a person’s replies',
  async () => {
    const kind = async (headers, text = 'x') => (await store(answer(headers, text))).kind
    const kinds = [
      await kind('Auto-Submitted: auto-replied\r\n'),
      await kind('Auto-Submitted: no\r\n'),
      await kind('', 'STOP'),
    ]
    if (kinds.join() !== 'automatic,answer,answer') return kinds.join()
    if (await suppressed(sent.email)) return 'an answer ends e-mails to its address without a person’s decision'
  },
)

finish()
