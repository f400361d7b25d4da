import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { contract } from './contract.ts'
import { contractMailing } from './contract-mailing.ts'
import { contractTemplate } from './contract-template.ts'
import { countersignContract, openContract, signContract } from './signing.server.ts'

const CLIENT_ID = 1
const SENDER = 'admin.brick'
const COUNTERSIGNER = { forename: 'Rhys', surname: 'Ellis', username: 'approver.brick' } as const
const DEVICE = {
  address: '192.0.2.14',
  agent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
} as const

const EMPLOYMENT = `<p>{{company}}, {{company address}}, employs {{name}} as {{job title}}.</p>
<p><strong>Start</strong><br />Your employment starts on {{start date}}. No employment with another employer counts towards it.</p>
<p><strong>Place of work and manager</strong><br />You work at {{site}} in the department {{department}}, and report to {{manager}}. You may be asked to work at our customers’ sites.</p>
<p><strong>Pay and hours</strong><br />You are paid £16.40 an hour, on the last Friday of each month. You work 40 hours a week, Monday to Friday from 7.30 to 16.30 with an hour’s break.</p>
<p><strong>Holidays</strong><br />You have 5.6 weeks of paid leave a year, bank holidays included.</p>
<ul><li>Sickness: tell your manager before your shift begins. Statutory sick pay applies.</li><li>Pension: you are enrolled in the company’s scheme after three months.</li><li>Notice: one week in the first two years, then a week for each year, up to twelve.</li></ul>
<p><strong>Training, discipline and grievances</strong><br />Training that we require is paid. The procedures for discipline and grievances are in the handbook.</p>`

const TOOLS = `<p>{{name}} uses tools that belong to {{company}}.</p>
<ul><li>I look after the tools, and report damage on the same day.</li><li>I return them when I leave.</li><li>I use no tool whose inspection is out of date.</li></ul>`

/** Contracts of the demo builders: days since they were sent, and how far each has got. */
const CONTRACTS = [
  { forename: 'Callum', surname: 'Fraser', username: 'worker.brick', daysAgo: 2, until: 'sent' },
  { forename: 'Owen', surname: 'Price', username: 'owen.price', daysAgo: 5, until: 'signed' },
  { forename: 'Nadia', surname: 'Rahman', username: 'nadia.rahman', daysAgo: 9, until: 'complete' },
] as const

async function addContract(engine: Engine, of: (typeof CONTRACTS)[number]): Promise<void> {
  const sentAt = engine.clock.now().subtract({ hours: 24 * of.daysAgo })
  const as = (username: string, hours: number) => ({ clientId: CLIENT_ID, username, at: sentAt.add({ hours }) })
  const id = await seedAsUser(engine, as(SENDER, 0), async (c) => {
    const [template] = await c.find(contractTemplate, { writtenStatement: true })
    const [person] = await c.find(employee, { forename: of.forename, surname: of.surname })
    const { forename, surname } = COUNTERSIGNER
    const [countersigner] = await c.find(employee, { forename, surname })
    if (!template || !person || !countersigner) throw new Error('The demo data of contracts lack a record')
    const mailing = { template: template.id, templateVersion: template.version, days: 14 }
    await c.create(contractMailing, { ...mailing, employee: person.id, countersigner: countersigner.id })
    const [sent] = await c.find(contract, { employee: person.id })
    return sent?.id ?? 0
  })
  if (of.until === 'sent') return
  await seedAsUser(engine, as(of.username, 20), async (c) => {
    const row = await c.lock(contract, id)
    await openContract(c, row)
    const signature = {
      name: `${of.forename} ${of.surname}`,
      method: 'typed',
      strokes: [],
      width: 0,
      height: 0,
    } as const
    await signContract(c, row, { digest: row.digest, signature, device: DEVICE }, false)
  })
  if (of.until === 'signed') return
  await seedAsUser(engine, as(COUNTERSIGNER.username, 44), async (c) => {
    const row = await c.lock(contract, id)
    const signature = { name: 'Rhys Ellis', method: 'typed', strokes: [], width: 0, height: 0 } as const
    await countersignContract(c, row, { digest: row.digest, signature, device: DEVICE })
  })
}

const contractsPart: DemoDataPart = {
  name: 'contracts',
  needs: ['employees'],
  tell: async (engine) => {
    await seedAsUser(engine, { clientId: CLIENT_ID, username: SENDER }, async (c) => {
      await c.create(contractTemplate, { name: 'Contract of employment', body: EMPLOYMENT, writtenStatement: true })
      await c.create(contractTemplate, { name: 'Use of company tools', body: TOOLS })
    })
    for (const one of CONTRACTS) await addContract(engine, one)
  },
}

export const seeds = [contractsPart]
