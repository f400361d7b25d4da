import { expect } from 'vitest'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import type { TestApi, TestClient, TestPortal } from './portal.ts'

export const REPORTS = '/api/safety/incident_reports'
export const LOOKUP = '/api/safety/incident'
const NO_GAS = { gasSupplier: 'no', gasFitting: 'no' }
export const NOT_EXEMPT = { armedForces: 'no', medicalTreatment: 'no', roadVehicle: 'no' }

/** Returns helpers that report incidents to a portal, screen them and decide on them. */
export function makeRiddorHelpers(portal: TestPortal) {
  const world = async () => {
    const client = await portal.client()
    const decider = await client.user({
      roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'],
      name: 'Dee Cider',
      email: 'dee@acme.example',
    })
    return {
      client,
      decider,
      api: client.as(decider),
      approver: client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })),
      reader: client.as(await client.user({ roles: ['ROLE_INCIDENT_READER'] })),
      worker: client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })),
    }
  }

  /** Returns the London day this many days from today. */
  const day = (days: number) => londonDate(portal.engine.clock.now()).add({ days }).toString()
  /** Returns the start of a London day, which is never in the future. */
  const happened = (daysAgo: number) =>
    londonDate(portal.engine.clock.now())
      .subtract({ days: daysAgo })
      .toZonedDateTime(LONDON_TIME_ZONE)
      .toInstant()
      .toString()

  /** Details of an employee who cut a finger. */
  const injured = (more: Record<string, unknown> = {}) => ({
    recordType: 'IP',
    name: 'Ann Carter',
    jobClass: `${LOOKUP}_jobclasses/1`,
    payroll: 'P-12',
    jobTitle: 'Bricklayer',
    sex: 2,
    dateOfBirth: '1990-02-28',
    address1: '1 High Street',
    city: 'Leeds',
    county: 'West Yorkshire',
    postcode: 'LS1 4AP',
    telephone: '01632 960001',
    incidentType: `${LOOKUP}_types/5`,
    mainFactor: `${LOOKUP}_mainfactors/1`,
    injurySustained: `${LOOKUP}_injury_sustaineds/1`,
    severity: `${LOOKUP}_severities/7`,
    injuryEffect: [4],
    bodyPart: `${LOOKUP}_bodyparts/10`,
    description: 'Cut finger',
    specified: [],
    answers: { ...NOT_EXEMPT, enclosedSpace: 'no', overSevenDays: 'no' },
    ...more,
  })

  const report = (daysAgo: number, personnel: object[], more: Record<string, unknown> = {}) => ({
    state: 'reported',
    description: 'Slipped on a wet floor beside the mixer',
    datetime: happened(daysAgo),
    internalLocation: 'Bay 3',
    nation: 'greatBritain',
    answers: { workRelated: 'yes', occurrence: 'no', ...NO_GAS },
    personnel,
    ...more,
  })

  const post = async (api: TestApi, body: Record<string, unknown>) => {
    const made = await api.post(REPORTS, body)
    expect([made.status, made.body.violations ?? made.body.detail]).toEqual([201, undefined])
    return made.body
  }

  const screeningOf = async (api: TestApi, at: string) => (await api.get(`${at}/screening`)).body

  const decide = async (api: TestApi, at: string, decision: string, more: Record<string, unknown> = {}) =>
    api.post(`${at}/decide-riddor`, { decision, expected: (await screeningOf(api, at)).fingerprint, ...more })

  /** Replaces values of the only person. */
  const changePerson = async (api: TestApi, at: string, values: Record<string, unknown>) => {
    const [person] = (await api.get(at)).body.personnel
    const saved = await api.put(at, { personnel: [{ ...person, ...values }] })
    expect([saved.status, saved.body.violations]).toEqual([200, undefined])
    return saved.body
  }

  const mailOf = async ({ id }: TestClient) => {
    await portal.drain()
    return portal.db.tx('system', (tx) =>
      tx.rows<{ subject: string; body: string }>(
        "SELECT subject, body FROM message WHERE client_id = $1 AND template = 'incident.riddor' ORDER BY id",
        [id],
      ),
    )
  }
  return { world, day, injured, report, post, screeningOf, decide, changePerson, mailOf }
}
