import type { TestApi, TestPortal } from './portal.ts'
import { expectSuccess } from './sign-offs.ts'

export const TRAINING = {
  employees: '/api/employees/employees',
  templates: '/api/employees/training_course_templates',
  duties: '/api/employees/training_duties',
  courses: '/api/employees/training_courses',
  requirements: '/api/employees/training_requirements',
  records: '/api/employees/training_records',
  proofs: '/api/employees/training_proofs',
  matrix: '/api/employees/training_matrix',
  plans: '/api/employees/training_plans',
  sessions: '/api/employees/training_sessions',
  bookings: '/api/employees/training_bookings',
} as const

/** A person of a training company, with an account. */
export interface TrainedPerson {
  readonly iri: string
  readonly id: number
  readonly api: TestApi
}

/** A company with an administrator, a person with the training role, and employees. */
export async function createTrainingCompany(portal: TestPortal) {
  const client = await portal.client({ packs: ['safety', 'employees'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
  const trainerAccount = await client.user({ roles: ['ROLE_TRAINING'], name: 'Terry Trainer' })
  const trainer = client.as(trainerAccount)
  const day = (days: number) =>
    portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
  let count = 0
  /** Adds an employee with an account. */
  const person = async (values: Record<string, unknown> = {}): Promise<TrainedPerson> => {
    const account = await client.user({ roles: ['ROLE_EMPLOYEE'] })
    const sent = {
      forename: `Person${++count}`,
      surname: 'Test',
      extCStartDate: day(-1000),
      user: account.iri,
      ...values,
    }
    const { '@id': iri, id } = expectSuccess(await admin.post(TRAINING.employees, sent))
    return { iri, id, api: client.as(account) }
  }
  const course = async (values: Record<string, unknown> = {}): Promise<{ iri: string; id: number }> => {
    const sent = { name: `Course ${++count}`, validityMonths: 12, ...values }
    const { '@id': iri, id } = expectSuccess(await trainer.post(TRAINING.courses, sent))
    return { iri, id }
  }
  /** Adds a requirement for a course: for everybody, unless stated, under a contract and without a grace period. */
  const need = async (of: { readonly iri: string }, values: Record<string, unknown> = {}) =>
    expectSuccess(
      await trainer.post(TRAINING.requirements, {
        course: of.iri,
        scope: 'everybody',
        startsOn: day(-500),
        reason: 'contract',
        ...values,
      }),
    )
  /** Body of a record: passed some days ago. */
  const passed = (
    of: { readonly iri: string },
    which: { readonly iri: string },
    days: number,
    more: Record<string, unknown> = {},
  ) => ({ employee: of.iri, course: which.iri, completedOn: day(days), result: 'passed', ...more })
  const record = async (...given: Parameters<typeof passed>) =>
    expectSuccess(await trainer.post(TRAINING.records, passed(...given)))
  const matrixOf = async (who: TestApi, query = '') => expectSuccess(await who.get(`${TRAINING.matrix}${query}`))
  /** Cell of a person and course in the matrix; undefined if it is not needed. */
  const cellOf = async (
    of: { readonly id: number },
    which: { readonly id: number },
    onDay = '',
  ): Promise<Record<string, unknown> | undefined> =>
    (await matrixOf(trainer, onDay && `?day=${onDay}`)).cells.find(
      (cell: { employee: number; course: number }) => cell.employee === of.id && cell.course === which.id,
    )
  return { client, admin, trainer, trainerAccount, day, person, course, need, passed, record, matrixOf, cellOf }
}
