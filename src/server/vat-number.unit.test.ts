import { expect, test } from 'vitest'
import { checkVatNumber } from './vat-number.ts'

test.each([
  // Modulus 97, and modulus 97 − 55 for numbers since 2010.
  ['gb123456782', 'GB', 'GB 123 4567 82'],
  ['123 4567 82', 'GB', 'GB 123 4567 82'],
  ['GB-123.4567/82', 'DE', 'GB 123 4567 82'],
  ['123 4567 27', 'GB', 'GB 123 4567 27'],
  ['GB 123 4567 82 001', 'GB', 'GB 123 4567 82 001'],
  ['XI 123456782', 'GB', 'XI 123 4567 82'],
  ['123456782', 'IM', 'GB 123 4567 82'],
  ['GD001', 'GB', 'GB GD001'],
  ['ATU13585627', 'AT', 'ATU13585627'],
  ['BE0428759497', 'BE', 'BE0428759497'],
  ['BG175074752', 'BG', 'BG175074752'],
  ['CHE-107.787.577 MWST', 'CH', 'CHE107787577MWST'],
  ['CY10259033P', 'CY', 'CY10259033P'],
  ['CZ25123891', 'CZ', 'CZ25123891'],
  ['136 695 976', 'DE', 'DE136695976'],
  ['DK13585628', 'DK', 'DK13585628'],
  ['EE100931558', 'EE', 'EE100931558'],
  ['GR094259216', 'GR', 'EL094259216'],
  ['094259216', 'GR', 'EL094259216'],
  ['ESB58378431', 'ES', 'ESB58378431'],
  ['FI20774740', 'FI', 'FI20774740'],
  ['FR40303265045', 'FR', 'FR40303265045'],
  ['HR33392005961', 'HR', 'HR33392005961'],
  ['HU12892312', 'HU', 'HU12892312'],
  ['IE6433435F', 'IE', 'IE6433435F'],
  ['IT00743110157', 'IT', 'IT00743110157'],
  ['LT119511515', 'LT', 'LT119511515'],
  ['LU15027442', 'LU', 'LU15027442'],
  ['LV40003521600', 'LV', 'LV40003521600'],
  ['MT11679112', 'MT', 'MT11679112'],
  ['NL004495445B01', 'NL', 'NL004495445B01'],
  ['NO995525828MVA', 'NO', 'NO995525828MVA'],
  ['PL8567346215', 'PL', 'PL8567346215'],
  ['PT501964843', 'PT', 'PT501964843'],
  ['RO18547290', 'RO', 'RO18547290'],
  ['SE123456789701', 'SE', 'SE123456789701'],
  ['SI50223054', 'SI', 'SI50223054'],
  ['SK2022749619', 'SK', 'SK2022749619'],
])('the VAT number %s of a company in %s is %s', async (given, country, number) => {
  expect(await checkVatNumber(given, country)).toEqual({ number, fault: '', isChecked: true })
})

test.each([
  ['nonsense', 'GB', 'nine digits'],
  ['GB 12345678', 'GB', 'nine digits'],
  ['GB 123 4567 89', 'GB', 'check digits'],
  ['XI 123 4567 89', 'GB', 'check digits'],
  ['DE123456789', 'DE', 'prefix DE'],
  ['FR40303265046', 'GB', 'prefix FR'],
  ['DE 0', 'DE', 'prefix DE'],
])('the VAT number %s of a company in %s is reported as invalid', async (given, country, fault) => {
  const check = await checkVatNumber(given, country)
  expect([check.number, check.isChecked]).toEqual([given, true])
  expect(check.fault).toContain(fault)
})

test('a VAT number of a country with an unknown format is stored as entered and counts as unchecked', async () => {
  expect(await checkVatNumber(' 100 2003  003 ', 'AE')).toEqual({ number: '100 2003 003', fault: '', isChecked: false })
  expect(await checkVatNumber('', 'GB')).toEqual({ number: '', fault: '', isChecked: false })
})
