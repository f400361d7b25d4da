import type { ValuesOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from './employee.ts'

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

const employeesPart: DemoDataPart = {
  name: 'employees',
  needs: ['people'],
  tell: async (engine) => {
    const teams = [
      { clientId: 1, username: 'admin.brick', people: BUILDERS },
      { clientId: 2, username: 'admin.care', people: CARERS },
    ]
    for (const { people, ...admin } of teams)
      await seedAsUser(engine, admin, async (c) => {
        const accounts = new Map((await c.find(user, {})).map(({ username, id }) => [username, id]))
        const rows = people.map(({ person, username, ...details }) => {
          const [forename = '', surname = ''] = person.split(' ')
          return { forename, surname, user: (username && accounts.get(username)) || null, ...details }
        })
        await c.createAll(employee, rows)
      })
  },
}

export const seeds = [employeesPart]
