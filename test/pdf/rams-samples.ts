import type { RamsPdfBody } from '#modules/safety/rams/rams-pack.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'

const paper = (number: string, revision: number, title: string, notes = '') => ({
  number,
  revision,
  title,
  ...(notes ? { notes } : {}),
  digest: '9b7d3a85c1e0f7742ab96d3e8f05b1c4d7a29e63f9a21c07be4d58a6610c2f4e',
  on: '2026-02-20',
})

/** A pack of four documents and a drawing, for the principal contractor. */
export const sampleRams: { readonly furniture: Partial<DocumentFrame>; readonly body: RamsPdfBody } = {
  furniture: {
    number: 'RP-0007',
    kindName: 'RAMS pack',
    references: [
      {
        heading: 'Documents',
        rows: [
          paper('MS-0031', 2, 'Replacing roof sheets at Harbour View primary school'),
          paper(
            'RA-0042',
            3,
            'Replacing roof sheets at Harbour View primary school',
            'Netting, not harnesses, over the hall',
          ),
          paper('CO-0012', 1, 'Cutting and drilling fibre cement'),
          paper('TT-0005', 4, 'Working near the edge of a roof'),
          {
            number: 'File',
            title: 'Roof plan with fragile areas.pdf',
            digest: paper('', 1, '').digest,
            on: '2026-02-18',
          },
        ],
      },
    ],
  },
  body: {
    job: {
      project: 'Harbour View, phase 2',
      location: 'Hall and east wing',
      siteAddress: 'Harbour View primary school\nQuay Street, Lowestoft',
      startDate: '2026-07-27',
      duration: 'Three weeks, in the summer holidays',
      mainContractor: 'Northern Build plc',
      jobNumber: 'HV-2291',
    },
    supervisor: 'Owen Pritchard',
    telephone: '07700 900123',
    notes:
      'Please read the method statement first. Nobody goes onto the hall roof before the certificate of the netting is signed.',
    images: [],
  },
}
