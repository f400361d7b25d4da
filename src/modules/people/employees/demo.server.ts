import type { ValuesOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { appStatus, packProduct } from '#modules/portal/packs/app-status.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { BUILDING_JOBS, CARE_JOBS, KELHAM } from './demo-people.ts'
import { department, employee } from './employee.ts'

/** An invented person. `username` names their account, if they have one. */
type DemoEmployee = Omit<ValuesOf<typeof employee>, 'forename' | 'surname' | 'user'> & {
  readonly person: string
  readonly username?: string
}

const SHEFFIELD = { city: 'Sheffield', county: 'South Yorkshire' } as const
const BATH = { city: 'Bath', county: 'Somerset' } as const

const BUILDERS: readonly DemoEmployee[] = [
  {
    person: 'Callum Fraser',
    username: 'worker.brick',
    payroll: 'BB014',
    jobtitlename: 'Bricklayer',
    extCStartDate: '2019-04-01',
    dob: '1991-08-17',
    sex: 1,
    address1: '22 Millhouses Lane',
    postcode: 'S7 2HB',
    telephone: '07700 900214',
    ...SHEFFIELD,
  },
  {
    person: 'Liam Young',
    username: 'liam.young',
    payroll: 'BB022',
    jobtitlename: 'Apprentice joiner',
    extCStartDate: '2025-09-01',
    dob: '2008-02-29',
    sex: 1,
    address1: '9 Crookes Road',
    postcode: 'S10 5BA',
    telephone: '07700 900222',
    ...SHEFFIELD,
  },
  {
    person: 'Nadia Rahman',
    username: 'nadia.rahman',
    payroll: 'BB017',
    jobtitlename: 'Site engineer',
    extCStartDate: '2021-01-11',
    dob: '1988-11-03',
    sex: 2,
    address1: '3 Botanical Road',
    postcode: 'S11 8RP',
    telephone: '07700 900217',
    ...SHEFFIELD,
  },
  {
    person: 'Owen Price',
    username: 'owen.price',
    payroll: 'BB019',
    jobtitlename: 'Scaffolder',
    extCStartDate: '2022-06-20',
    dob: '1979-05-26',
    sex: 1,
    address1: '41 Walkley Street',
    postcode: 'S6 3RG',
    telephone: '07700 900219',
    ...SHEFFIELD,
  },
  {
    person: 'Rhys Ellis',
    username: 'approver.brick',
    payroll: 'BB002',
    jobtitlename: 'Operations director',
    extCStartDate: '2006-10-02',
  },
  // Not every detail of an employee is known.
  { person: 'Ewa Kowalska', username: 'ewa.kowalska', payroll: 'BB024', jobtitlename: 'Labourer' },
  { person: 'Gareth Lowe', jobtitlename: 'Roofer', isSubby: true, telephone: '07700 900231' },
  { person: 'Malcolm Reid', payroll: 'BB003', jobtitlename: 'Foreman', extCStartDate: '2004-02-02', retired: true },
]

const CARERS: readonly DemoEmployee[] = [
  {
    person: 'Carys Ellis',
    username: 'carys.ellis',
    payroll: 'WC031',
    jobtitlename: 'Senior carer',
    extCStartDate: '2018-03-05',
    dob: '1985-01-30',
    sex: 2,
    address1: '6 Bloomfield Avenue',
    postcode: 'BA2 3AB',
    telephone: '07700 900241',
    ...BATH,
  },
  {
    person: 'Samuel Adeyemi',
    payroll: 'WC044',
    jobtitlename: 'Night carer',
    extCStartDate: '2023-10-02',
    dob: '1996-07-12',
    sex: 1,
    address1: '14 Oldfield Lane',
    postcode: 'BA2 3NF',
    telephone: '07700 900244',
    ...BATH,
  },
  { person: 'Moira Kemp', payroll: 'WC012', jobtitlename: 'Cook', extCStartDate: '2011-08-15', ...BATH },
]

const LODGE = {
  name: 'Weston Lodge',
  addressLine1: '2 Newbridge Hill',
  city: 'Bath',
  county: 'Somerset',
  postcode: 'BA1 3PS',
}

const COMPANIES = [
  {
    clientId: 1,
    username: 'admin.brick',
    people: BUILDERS,
    jobs: BUILDING_JOBS,
    site: KELHAM,
    domain: 'brick.example',
  },
  { clientId: 2, username: 'admin.care', people: CARERS, jobs: CARE_JOBS, site: LODGE, domain: 'care.example' },
] as const

type Company = (typeof COMPANIES)[number]

/** Managers of the people with details, by name. */
const MANAGERS: Readonly<Record<string, string>> = {
  'Callum Fraser': 'Piotr Zielinski',
  'Liam Young': 'Callum Fraser',
  'Nadia Rahman': 'Dominic Achebe',
  'Owen Price': 'Lorna Mackie',
  'Rhys Ellis': 'Fiona Reeve',
  'Carys Ellis': 'Nigel Prowse',
  'Samuel Adeyemi': 'Carys Ellis',
}

const splitName = (person: string) => {
  const [forename = '', surname = ''] = person.split(' ')
  return { forename, surname }
}

/** Opens the products of employees and leave for a company. */
const openProducts = async (engine: Engine, clientId: number): Promise<void> => {
  await seedAsUser(engine, { clientId }, async (c) => {
    const right = c.withoutPermissionCheck('grant a client access to what it has bought')
    for (const { id } of await c.find(packProduct, { code: ['employees', 'holidays'] }))
      await right.create(appStatus, { product: id })
  })
}

/** Adds a company's site, departments and employees, managers before those who report to them. */
async function addPeople(c: Context, { people, jobs, site, domain }: Company): Promise<void> {
  const [siteId = null] = await c.createAll(incidentSite, [site])
  const names = [...new Set(jobs.map(([, , name]) => name))]
  const ids = await c.createAll(
    department,
    names.map((name) => ({ name, minimumCover: name === 'Operations' ? 3 : null })),
  )
  const departments = new Map(names.map((name, n) => [name, ids[n] ?? null]))
  const accounts = new Map((await c.find(user, {})).map(({ username, id }) => [username, id]))
  const place = (name: string) => ({
    department: departments.get(name) ?? null,
    site: siteId,
    nation: 'england' as const,
  })
  const waiting: NewEmployee[] = [
    ...jobs.map(([person, jobtitlename, to, manager, extCStartDate]) => ({
      person,
      manager,
      values: {
        email: `${person.toLowerCase().replace(' ', '.')}@${domain}`,
        jobtitlename,
        extCStartDate,
        ...place(to),
      },
    })),
    ...people.map(({ person, username, ...details }) => ({
      person,
      manager: MANAGERS[person] ?? '',
      values: {
        user: (username && accounts.get(username)) || null,
        ...(details.retired || details.isSubby ? {} : place('Operations')),
        ...details,
      },
    })),
  ]
  const added = await addByLevel(c, waiting)
  for (const name of names) {
    const first = jobs.find(([, , one]) => one === name)?.[0] ?? ''
    await c.change(department, departments.get(name) ?? 0, { head: added.get(first) ?? null })
  }
}

interface NewEmployee {
  readonly person: string
  /** Name of the manager; empty for none. */
  readonly manager: string
  readonly values: ValuesOf<typeof employee>
}

/** Adds employees level by level of the tree of managers. Returns their IDs by name. */
async function addByLevel(c: Context, waiting: readonly NewEmployee[]): Promise<ReadonlyMap<string, number>> {
  const added = new Map<string, number>()
  for (let left = waiting; left.length; left = left.filter(({ person }) => !added.has(person))) {
    const level = left.filter(({ manager }) => !manager || added.has(manager))
    const ids = await c.createAll(
      employee,
      level.map(({ person, manager, values }) => ({
        ...splitName(person),
        manager: added.get(manager) ?? null,
        ...values,
      })),
    )
    for (const [n, { person }] of level.entries()) added.set(person, ids[n] ?? 0)
  }
  return added
}

const employeesPart: DemoDataPart = {
  name: 'employees',
  needs: ['people'],
  tell: async (engine) => {
    for (const company of COMPANIES) {
      await openProducts(engine, company.clientId)
      await seedAsUser(engine, company, (c) => addPeople(c, company))
    }
  },
}

export const seeds = [employeesPart]
