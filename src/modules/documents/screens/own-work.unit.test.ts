import { expect, test } from 'vitest'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { type DashboardDocument, documentListLinks, documentWorkLists, documentWorkPath } from './own-work.web.ts'

const TODAY = '2026-03-02'
const kinds = [riskAssessment, toolboxTalk]
const actor = (clientId: number, ...roles: string[]): Actor => ({
  userId: 1,
  clientId,
  packs: { safety: 'active' },
  username: 'ada',
  name: 'Ada',
  roles,
  scopes: [],
})
const names = (of: Actor) => documentWorkLists(of, TODAY).map((w) => w.name)
const row = (more: Partial<DashboardDocument> = {}): DashboardDocument => ({
  id: 7,
  kind: 'risk_assessment',
  documentNumber: 'RA-0001',
  revision: 1,
  title: 'Roof',
  author: 'ada',
  state: 'current',
  updatedAt: '2026-03-01T10:00:00+00:00',
  reviewDue: null,
  decisionNote: null,
  asked: 0,
  missing: 0,
  ...more,
})

test('users are offered only the work lists on which they can act, and provider users are offered none', () => {
  expect(names(actor(3, 'ROLE_CLIENT_ADMIN'))).toEqual(['approve', 'review', 'awaited', 'finish', 'improved'])
  expect(names(actor(3, 'ROLE_SAFETY_AUTHOR'))).toEqual(['review', 'awaited', 'finish', 'improved'])
  expect(names(actor(3, 'ROLE_EMPLOYEE'))).toEqual(['sign'])
  expect(names(actor(3, 'ROLE_SAFETY_AUTHOR', 'ROLE_EMPLOYEE'))).toEqual([
    'sign',
    'review',
    'awaited',
    'finish',
    'improved',
  ])
  expect(names(actor(3, 'ROLE_RESELLER'))).toEqual([])
  expect(names(actor(PROVIDER_CLIENT_ID, 'ROLE_STAFF', 'ROLE_SAFETY_ADMIN'))).toEqual([])
})

test("reviews of the user's own company are listed up to thirty days ahead", () => {
  const url = documentWorkLists(actor(3, 'ROLE_SAFETY_AUTHOR'), TODAY).find((w) => w.name === 'review')?.url
  const query = new URL(url ?? '', 'https://portal.example').searchParams
  expect([query.get('reviewDue[before]'), query.get('client'), query.get('current')]).toEqual([
    '2026-04-01',
    '3',
    'true',
  ])
})

test('a draft opens in its editor, and other documents open read-only', () => {
  expect(documentWorkPath(kinds, row({ state: 'draft' }))).toBe('/sfp/risk-assessment/update/7')
  expect(documentWorkPath(kinds, row({ state: 'rejected' }))).toBe('/safety/risk-assessment/view/7')
  expect(documentWorkPath(kinds, row({ kind: 'toolbox_talk' }))).toBe('/safety/toolbox-talks/view/7')
})

test('work lists link to the lists of their document types, with the same filters as the dashboard', () => {
  const talk = row({ kind: 'toolbox_talk', reviewDue: '2026-03-20' })
  const late = row({ reviewDue: '2026-03-01' })
  const lists = (...args: [Parameters<typeof documentListLinks>[1], readonly DashboardDocument[]]) =>
    documentListLinks(kinds, ...args, 'ada', TODAY)
  expect(lists('review', [talk, late])).toEqual([
    { label: 'Risk assessments', to: '/safety/risk-assessment?due=late' },
    { label: 'Toolbox talks', to: '/safety/toolbox-talks?due=soon' },
  ])
  expect(lists('review', [row({ reviewDue: TODAY })]).map((l) => l.to)).toEqual(['/safety/risk-assessment?due=soon'])
  expect(lists('approve', [talk]).map((l) => l.to)).toEqual(['/safety/toolbox-talks?state=complete'])
  expect(lists('finish', [row({ state: 'rejected' })]).map((l) => l.to)).toEqual([
    '/safety/risk-assessment?state=rejected&q=ada',
  ])
  expect(lists('sign', [])).toEqual([])
})
