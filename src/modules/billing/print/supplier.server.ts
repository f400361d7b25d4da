import { PROVIDER } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { client } from '#modules/portal/clients/client.ts'
import { formatAddress } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { type InvoiceRules, loadInvoiceRules } from '../client-invoicing/invoice-settings.server.ts'
import type { BankAccount, Supplier } from './paper.ts'

type Whose = Pick<Context, 'engine' | 'clientId'>

/** Seller's details from its company record and invoice settings. */
export async function loadSupplier(
  c: Pick<RecordReader, 'get' | 'find'>,
  { engine, clientId }: Whose,
): Promise<Supplier> {
  const [own, rules] = await settleAll(c.get(client, clientId), loadInvoiceRules(c))
  const bank = bankOf(rules)
  return {
    name: rules.legalName || (clientId === PROVIDER ? engine.config.provider : (own?.company ?? '')),
    address: own ? formatAddress(own) : '',
    companyNumber: own?.regcompno ?? '',
    vatNumber: own?.vatNumber ?? '',
    telephone: own?.contacttel ?? '',
    email: own?.contactemail ?? '',
    ...(bank ? { bank } : {}),
  }
}

/** Bank details; undefined without an account number or IBAN. */
function bankOf({ accountName, bankName, sortCode, accountNumber, iban, bic }: InvoiceRules): BankAccount | undefined {
  return accountNumber || iban ? { accountName, bankName, sortCode, accountNumber, iban, bic } : undefined
}
