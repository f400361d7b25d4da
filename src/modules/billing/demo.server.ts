import { bankPart } from './bank/demo.server.ts'
import { cardsPart } from './cards/demo.server.ts'
import { cataloguePart } from './catalogue/demo.server.ts'
import { invoicesPart } from './credits/demo.server.ts'
import { customersPart } from './customers/demo.server.ts'
import { ownBooksPart } from './demo-own-books.server.ts'
import { dunningPart } from './dunning/demo.server.ts'
import { paymentsPart } from './payments/demo.server.ts'
import { quotesPart } from './quotes/demo.server.ts'
import { subscriptionsPart } from './subscriptions/demo.server.ts'

export const demo = [
  cataloguePart,
  customersPart,
  cardsPart,
  paymentsPart,
  quotesPart,
  invoicesPart,
  subscriptionsPart,
  dunningPart,
  bankPart,
  ownBooksPart,
]
