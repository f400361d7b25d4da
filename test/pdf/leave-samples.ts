import { type LeaveTables, renderLeaveTables } from '#modules/people/leave-report/leave-pdf.server.ts'
import { recordTables } from '#modules/people/leave-report/record.server.ts'
import { reportTables } from '#modules/people/leave-report/report.server.ts'
import { sampleDocumentFrame } from './samples.ts'

const { brand, client } = sampleDocumentFrame
const LEAVE_YEAR = { from: '2026-01-01', until: '2026-12-31' }
const BRADFORD = { spells: 2, days: 5, score: 20, formula: '2 × 2 × 5 days since 2025-12-02' }

const print = (tables: LeaveTables) =>
  renderLeaveTables({
    ...tables,
    clientId: 1042,
    sender: { brand, client: { ...client, logo: client.logo } },
    printed: '2026-11-30T12:00:00Z',
    by: 'Priya Shah',
  })

const entry = (id: number, kind: 'entitlement' | 'booking', part: string, minutes: number, more: object = {}) => ({
  id,
  clientId: 1042,
  employee: 7,
  year: LEAVE_YEAR.from,
  kind,
  part,
  minutes,
  day: null,
  expiresOn: null,
  formula: '5.6 weeks × 2,400 minutes a week',
  reason: '',
  carryReason: null,
  request: null,
  entered: false,
  author: 'portal',
  createdAt: '2026-01-01T02:30:00Z',
  ...more,
})

/** Record of leave with a long reason. */
export const renderLeaveRecord = (): Promise<Buffer> =>
  print(
    recordTables({
      name: 'Dafydd ap Rhys',
      year: LEAVE_YEAR,
      figures: [
        ['Entitlement: Four weeks (regulation 13)', 160],
        ['Taken: approved leave that has started', 32],
        ['Left, with approved leave to come and requests that wait deducted', 192.5],
      ],
      entries: [
        entry(1, 'entitlement', 'reg13', 9600),
        entry(2, 'booking', 'reg13', -1920, {
          day: '2026-08-03',
          formula: 'Shifts from 3 to 6 August',
          reason: `A family wedding, and the journey to it. ${'It took long. '.repeat(12)}`,
        }),
      ] as never,
      others: [{ kind: { name: 'Time off for dependants' }, firstDay: '2026-05-11', lastDay: '2026-05-12' }],
    }),
  )

/** Leave report of fifty people. */
export const renderLeaveReport = (): Promise<Buffer> =>
  print(
    reportTables({
      ...LEAVE_YEAR,
      unit: 'days',
      rows: Array.from({ length: 50 }, (_, n) => ({
        employee: n,
        name: n ? `Employee Number${n}` : `Maria ${'Fernandes '.repeat(5)}da Silva`,
        department: n % 3 ? 'Roofing' : '',
        dayMinutes: 480,
        counted: n !== 4,
        entitlement: 13_440,
        carriedOver: 0,
        adjusted: -60,
        bankHolidays: 3840,
        taken: 2400,
        booked: 960,
        waiting: 0,
        paidInLieu: 0,
        left: 6180,
        sickDays: 5,
        bradford: BRADFORD,
        otherDays: n % 7,
      })),
    }),
  )
