import { describe, expect, test } from 'vitest'
import { hostNameOf, isLoopbackHost, parseProxyTrust } from './addresses.ts'

describe('trusted proxies', () => {
  test.each([
    ['true', 1],
    ['1', 1],
    ['2', 2],
    ['false', false],
    ['0', false],
    ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
    ['::1,fd00::/8', ['::1', 'fd00::/8']],
  ])('TRUST_PROXY %s is parsed as %j', (text, trust) => {
    expect(parseProxyTrust(text)).toEqual(trust)
  })

  test.each(['everybody', '10.0.0.0/33', '10.0.0', '-1', '100', '10.0.0.1/8/8', '10.0.0.1,'])(
    'TRUST_PROXY %s is rejected',
    (text) => {
      expect(parseProxyTrust(text)).toBeUndefined()
    },
  )
})

test('loopback addresses and localhost are recognised as this machine, but similar names and addresses are not', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])
    expect([host, isLoopbackHost(host)]).toEqual([host, true])
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.evil.example', ''])
    expect([host, isLoopbackHost(host)]).toEqual([host, false])
})

test('a host name is parsed from a Host header and from an origin', () => {
  expect(['portal.example:3000', 'https://portal.example', '[::1]:3000', 'null value'].map(hostNameOf)).toEqual([
    'portal.example',
    'portal.example',
    '[::1]',
    undefined,
  ])
})
