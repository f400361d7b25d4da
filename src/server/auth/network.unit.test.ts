import { expect, test } from 'vitest'
import { parseProxyAddress } from '#server/addresses.ts'
import { networkForAddress } from './attempts.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['198.51.100.7:4000', '198.51.100.7'],
  ['[2001:db8::1]:4000', '2001:db8::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:c633:6407', '198.51.100.7'],
  ['garbage1', undefined],
  ['', undefined],
])('%s in a proxy header is parsed as the IP address %s', (written, address) => {
  expect(parseProxyAddress(written)).toBe(address)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of the IP address %s is %s', (address, network) => {
  expect(networkForAddress(address)).toBe(network)
})
