// E-mails that the portal has sent, and replies to them, delivered as the portal's mail server would.
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { call, signIn } from '../portal.mjs'

const [, , , MAIL_FOLDER, SECRET] = process.argv
if (!SECRET) throw new Error('This script needs the folder with sent e-mails, and the secret for received ones.')
export const RUN = `mail${Date.now().toString(36)}`
export const LATER = new Date(Date.now() + 20 * 86400e3).toISOString().slice(0, 10)

export const [staff, manager, admin, approver, worker, care, reseller] = await Promise.all(
  ['staff', 'manager', 'admin.brick', 'approver.brick', 'worker.brick', 'admin.care', 'reseller.north'].map((name) =>
    signIn(name),
  ),
)
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
export const sum = (text, message, secret = SECRET) =>
  createHmac('sha256', secret).update(`${text}.${message}`).digest('hex')
export const now = () => Math.floor(Date.now() / 1000)

/** Delivers an e-mail as the mail server does. */
export function deliver(email, { at = now(), signature, message = Buffer.from(email).toString('base64') } = {}) {
  const headers = { 'x-signature': signature ?? `t=${at},v1=${sum(at, Buffer.from(email).toString('base64'))}` }
  return call('POST', '/api/email/inbound', { body: { message }, headers })
}

/** Returns this run's e-mail to a recipient, without soft line breaks. */
export async function sentTo(recipient) {
  for (let attempt = 0; attempt < 50; attempt++) {
    for (const name of readdirSync(MAIL_FOLDER)) {
      if (!name.includes(recipient)) continue
      const text = readFileSync(`${MAIL_FOLDER}/${name}`, 'utf8').replace(/=\r?\n/g, '')
      if (text.includes(RUN)) return text
    }
    await sleep(200)
  }
  throw new Error(`no e-mail of this run to ${recipient} in ${MAIL_FOLDER}`)
}
export const idOf = (text) => text.match(/Message-ID:\s*(<\S+>)/i)[1]

/** Sends an e-mail to a new lead. */
export async function sendToLead(tag) {
  const email = `${RUN}${tag}@lead.example`
  const contact = { companyName: `${RUN} ${tag}`, name: 'Ann Test', email, legalForm: 'limited' }
  const lead = (await staff.post('/api/crm/contacts', contact)).body['@id']
  const values = { contact: lead, subject: `${RUN} hello`, body: 'Dear Ann', marketing: false }
  const message = (await staff.post('/api/email/message', values)).body['@id']
  return { email, lead, message, id: idOf(await sentTo(email)) }
}
export const sent = await sendToLead('main')

export const answer = (
  headers,
  text,
  { id = sent.id, from = `Ann <${sent.email}>`, subject = `Re: ${RUN}`, own } = {},
) =>
  `From: ${from}\r\nTo: portal@localhost\r\nSubject: ${subject}\r\nMessage-ID: <${own ?? Math.random()}@x.example>\r\nIn-Reply-To: ${id}\r\n${headers}\r\n${text}`
export const multipart = (parts, options, type = 'mixed') =>
  answer(
    `Content-Type: multipart/${type}; boundary=b\r\n`,
    `${parts.map((p) => `--b\r\n${p}\r\n`).join('')}--b--\r\n`,
    options,
  )
export const plain = (text) => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`
export const file = (name, type, content) =>
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n')}`

export const answersOf = async ({ lead }, user = staff) => {
  const path = `/api/email/messages?contact=${encodeURIComponent(lead)}&order[id]=desc&itemsPerPage=50`
  return (await user.get(path)).body['hydra:member'].filter(({ incoming }) => incoming)
}
/** Delivers a reply to the lead’s e-mail, and returns the reply as stored. */
export async function store(email) {
  const { status, body } = await deliver(email)
  if (status !== 200 || !body.taken) throw new Error(`the answer is not stored: ${status} ${body.why ?? ''}`)
  return (await answersOf(sent))[0]
}

/** Returns the longest time that another person waits for a small response while `work` runs. */
export async function longestWait(work) {
  let [done, longest] = [false, 0]
  const others = (async () => {
    while (!done) {
      const start = Date.now()
      await call('GET', '/api/portal/public', { token: care.token })
      longest = Math.max(longest, Date.now() - start)
      await sleep(30)
    }
  })()
  await work()
  done = true
  await others
  return longest
}
