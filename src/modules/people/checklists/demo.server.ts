import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { checklist, checklistTask, checklistTemplate } from './checklist.ts'

type Owner = 'hr' | 'manager' | 'employee'
/** A task, its owner, and its day relative to the first or last day. */
type DemoTask = readonly [title: string, owner: Owner, days: number]

interface DemoTemplate {
  readonly name: string
  readonly purpose: 'starter' | 'leaver'
  readonly tasks: readonly DemoTask[]
}

const FIRST_STEPS: readonly DemoTask[] = [
  ['Check and copy the right to work', 'hr', -7],
  ['Send the contract and the written statement of particulars', 'hr', -5],
  ['Ask for bank details and emergency contacts', 'hr', -3],
]

const LEAVER: DemoTemplate = {
  name: 'Leaver',
  purpose: 'leaver',
  tasks: [
    ['Plan the handover of open work', 'manager', -10],
    ['Hold the leaving interview', 'hr', -3],
    ['Return keys, tools, phone and vehicle', 'employee', 0],
    ['Send the final payslip and P45', 'hr', 14],
  ],
}

const SITE_STARTER: DemoTemplate = {
  name: 'Site starter',
  purpose: 'starter',
  tasks: [
    ...FIRST_STEPS,
    ['Order work clothes, boots, helmet and eye protection', 'manager', -3],
    ['See the CSCS card and note its expiry', 'manager', 0],
    ['Give the site induction', 'manager', 0],
    ['Read the health and safety policy', 'employee', 2],
    ['Complete manual handling and working at height training', 'manager', 10],
    ['Review the first month', 'manager', 28],
  ],
}

const OFFICE_STARTER: DemoTemplate = {
  name: 'Office starter',
  purpose: 'starter',
  tasks: [
    ...FIRST_STEPS,
    ['Set up computer, phone and accounts', 'manager', -2],
    ['Show fire exits and first aiders', 'manager', 0],
    ['Assess the display screen workstation', 'employee', 5],
    ['Review the first month', 'manager', 28],
  ],
}

const CARE_STARTER: DemoTemplate = {
  name: 'Care starter',
  purpose: 'starter',
  tasks: [
    ...FIRST_STEPS,
    ['See the enhanced DBS certificate', 'hr', -2],
    ['Start the Care Certificate', 'employee', 0],
    ['Shadow an experienced carer for three shifts', 'manager', 7],
    ['Assess competence in giving medicines', 'manager', 28],
  ],
}

interface DemoCompany {
  readonly clientId: number
  readonly username: string
  readonly templates: readonly DemoTemplate[]
  /** Starter with a checklist of the first template, of which so many tasks are done. */
  readonly starter: { readonly forename: string; readonly surname: string; readonly done: number }
}

const COMPANIES: readonly DemoCompany[] = [
  {
    clientId: 1,
    username: 'admin.brick',
    templates: [SITE_STARTER, OFFICE_STARTER, LEAVER],
    starter: { forename: 'Joseph', surname: 'Okafor', done: 7 },
  },
  {
    clientId: 2,
    username: 'admin.care',
    templates: [CARE_STARTER, OFFICE_STARTER, LEAVER],
    starter: { forename: 'Orla', surname: 'Keane', done: 5 },
  },
]

async function addChecklists(
  c: Context,
  { templates, starter: { forename, surname, done } }: DemoCompany,
): Promise<void> {
  const added: number[] = []
  for (const { name, purpose, tasks } of templates) {
    const rows = tasks.map(([title, owner, days]) => ({ title, owner, days }))
    const saved = await (await c.create(checklistTemplate, { name, purpose, tasks: rows as never })).saved()
    added.push(saved.id)
  }
  const [person] = await c.find(employee, { forename, surname })
  if (!person) return
  const list = await (await c.create(checklist, { employee: person.id, template: added[0] ?? 0 })).saved()
  const tasks = await c.find(checklistTask, { checklist: list.id })
  const first = tasks.toSorted((a, b) => a.position - b.position).slice(0, done)
  for (const task of first) await c.act(checklistTask, 'complete', task.id, {})
}

const checklistsPart: DemoDataPart = {
  name: 'checklists',
  needs: ['employees'],
  tell: async (engine) => {
    for (const company of COMPANIES) await seedAsUser(engine, company, (c) => addChecklists(c, company))
  },
}

export const seeds = [checklistsPart]
