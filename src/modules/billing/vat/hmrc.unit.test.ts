import { expect, test } from 'vitest'
import { buildFraudHeaders } from './hmrc.server.ts'
import { buildHmrcReturn, describeHmrcError, differentBoxes, figuresOfHmrcReturn, vrnOf } from './hmrc.ts'
import { computeVatFigures, type VatBox, type VatFigures } from './vat-return.ts'

const figures = (sums: Partial<Record<VatBox, number>>): VatFigures => computeVatFigures(sums)

test('pence are converted to pounds, and boxes 6 to 9 to whole pounds with the pence dropped', () => {
  const sums = { 1: 10_550, 2: -10_045, 4: 10_515, 6: 30_099, 7: 30_001, 8: 300_000, 9: -199 }
  expect(buildHmrcReturn('A001', figures(sums))).toEqual({
    periodKey: 'A001',
    vatDueSales: 105.5,
    vatDueAcquisitions: -100.45,
    totalVatDue: 5.05,
    vatReclaimedCurrPeriod: 105.15,
    netVatDue: 100.1,
    totalValueSalesExVAT: 300,
    totalValuePurchasesExVAT: 300,
    totalValueGoodsSuppliedExVAT: 3000,
    totalAcquisitionsExVAT: -1,
    finalised: true,
  })
})

test.each([
  [{ 1: 2000, 4: 500 }, 20, 5, 15],
  [{ 1: 500, 4: 2000 }, 5, 20, 15],
  [{ 1: -500, 4: 2000 }, -5, 20, 25],
  [{ 1: -500, 4: -2000 }, -5, -20, 15],
  [{ 1: 1999, 2: 1, 4: 2000 }, 20, 20, 0],
  [{ 1: 9_999_999_999_999, 4: 1 }, 99_999_999_999.99, 0.01, 99_999_999_999.98],
])('net VAT of %o is the positive difference, due or reclaimed', (sums, total, reclaimed, net) => {
  const body = buildHmrcReturn('18A1', figures(sums))
  expect([body.totalVatDue, body.vatReclaimedCurrPeriod, body.netVatDue]).toEqual([total, reclaimed, net])
})

test('an empty return has unsigned zeros, and every amount has at most two decimal places', () => {
  const text = JSON.stringify(buildHmrcReturn('18A1', figures({ 6: -99, 7: 99 })))
  expect(text).toContain('"totalValueSalesExVAT":0,"totalValuePurchasesExVAT":0')
  expect(text).not.toContain('-0')
  for (let pence = 0; pence < 200; pence++)
    expect(JSON.stringify(buildHmrcReturn('', figures({ 1: 1_000_000_000 + pence })))).toMatch(
      /"vatDueSales":\d+([.]\d{1,2})?,/,
    )
})

test('a return read back from HMRC has the pence that were sent, and differences are listed by box', () => {
  const sent = buildHmrcReturn('18A1', figures({ 1: 2001, 2: 29, 4: 750, 6: 10_000, 7: 3900 }))
  expect(figuresOfHmrcReturn(sent)).toEqual(figures({ 1: 2001, 2: 29, 4: 750, 6: 10_000, 7: 3900 }))
  expect(differentBoxes(sent, { ...sent })).toEqual([])
  expect(differentBoxes(sent, { ...sent, netVatDue: sent.netVatDue + 0.01, totalAcquisitionsExVAT: 1 })).toEqual([5, 9])
})

test.each([
  ['GB 123 4567 82', '123456782'],
  ['gb123456782', '123456782'],
  ['XI 123 4567 82', '123456782'],
  ['123 4567 82 001', '123456782'],
  ['DE136695976', ''],
  ['GBGD001', ''],
  ['', ''],
])('the VAT number %s is sent to HMRC as “%s”', (number, vrn) => {
  expect(vrnOf(number)).toBe(vrn)
})

test.each([
  [403, ['DUPLICATE_SUBMISSION', 'BUSINESS_ERROR'], /already has a return/],
  [400, ['INVALID_PERIODKEY'], /does not know this VAT period/],
  [400, ['VAT_TOTAL_VALUE', 'INVALID_REQUEST'], /box 3 is not the sum/],
  [403, ['INSOLVENT_TRADER'], /insolvent/],
  [401, ['INVALID_CREDENTIALS'], /has ended the connection/],
  [429, [], /too many requests/],
  [503, [], /has a fault/],
  [0, [], /did not answer/],
  [400, ['NEW_CODE'], /^HMRC refused the request: Some reason \(NEW_CODE\)[.]$/],
])('HMRC’s response %i %o is described in a sentence', (status, codes, sentence) => {
  expect(describeHmrcError(status, codes, 'Some reason.')).toMatch(sentence)
})

const NOW = Temporal.Instant.from('2026-11-28T14:30:00Z')
const actor = { clientId: 5, userId: 7, username: 'ann & co' }

test("headers contain the port of a direct connection and the session's second factor", () => {
  const proof = { kind: 'factor', until: NOW.epochMilliseconds } as const
  const request = { address: '2001:db8::7', port: 47_138 }
  expect(
    buildFraudHeaders({ vendorAddress: undefined }, { actor: { ...actor, proof }, request, now: NOW }, {}),
  ).toEqual({
    'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
    'Gov-Client-User-IDs': 'stanchion=ann%20%26%20co',
    'Gov-Client-Public-IP': '2001:db8::7',
    'Gov-Client-Public-IP-Timestamp': '2026-11-28T14:30:00.000Z',
    'Gov-Client-Public-Port': '47138',
    'Gov-Client-Multi-Factor': expect.stringMatching(
      /^type=OTHER&timestamp=2026-11-28T14%3A20Z&unique-reference=[0-9a-f]{64}$/,
    ),
    'Gov-Vendor-Product-Name': 'Stanchion',
    'Gov-Vendor-Version': expect.any(String),
  })
})

test.each(['127.0.0.1', '10.1.2.3', '192.168.0.9', '::1', 'fd00::1', ''])(
  'the private address “%s” is not sent as a public one',
  (address) => {
    const headers = buildFraudHeaders(
      { vendorAddress: '203.0.113.6' },
      { actor, request: { address, port: 1 }, now: NOW },
      {},
    )
    for (const name of ['Gov-Client-Public-IP', 'Gov-Client-Public-Port', 'Gov-Vendor-Forwarded'])
      expect(headers).not.toHaveProperty(name)
  },
)
