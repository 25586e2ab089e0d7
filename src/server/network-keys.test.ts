import { expect, test } from 'vitest'
import { networkKeys } from './network-keys.ts'

test.each([
  ['127.0.0.1', '127.0.0.1', undefined],
  ['::ffff:10.0.0.7', '10.0.0.7', undefined],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ['', '', undefined],
])('the address %j counts as %j and %j', (address, network, site) => {
  expect(networkKeys(address)).toEqual({ network, ...(site !== undefined && { site }) })
})
