import { trainingProof } from '../records/record.ts'
import type { CertificateProposals } from './certificate-text.ts'

/** Returns the address of the proposals for a record from the text of a certificate. */
export const proposalsUrl = (id: number | string): string => `${trainingProof.url}/${id}/proposals`

/** Proposals from a certificate, or the reason why its text can't be read. */
export interface CertificateReading extends CertificateProposals {
  readonly unreadable: string
}
