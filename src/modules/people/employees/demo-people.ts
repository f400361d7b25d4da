/** Site of the demo builders. */
export const KELHAM = {
  name: 'Kelham Works',
  addressLine1: 'Unit 4, Kelham Works, Green Lane',
  city: 'Sheffield',
  county: 'South Yorkshire',
  postcode: 'S3 8SE',
}

/** Demo employees of a company: name, job title, department, name of the manager, and first day. */
type DemoJob = readonly [person: string, jobtitlename: string, department: string, manager: string, start: string]

export const BUILDING_JOBS: readonly DemoJob[] = [
  ['Fiona Reeve', 'Managing director', 'Management', '', '2003-05-12'],
  ['Dominic Achebe', 'Contracts manager', 'Management', 'Fiona Reeve', '2009-09-01'],
  ['Ruth Sanderson', 'Human resources adviser', 'Office', 'Fiona Reeve', '2016-04-04'],
  ['Imran Qureshi', 'Bookkeeper', 'Office', 'Fiona Reeve', '2013-01-14'],
  ['Bethan Howells', 'Receptionist', 'Office', 'Ruth Sanderson', '2022-10-03'],
  ['Piotr Zielinski', 'Site manager', 'Operations', 'Dominic Achebe', '2012-03-19'],
  ['Lorna Mackie', 'Site manager', 'Operations', 'Dominic Achebe', '2017-06-05'],
  ['Gary Hollis', 'Bricklayer', 'Operations', 'Piotr Zielinski', '2010-02-22'],
  ['Samina Begum', 'Joiner', 'Operations', 'Piotr Zielinski', '2018-08-13'],
  ['Kofi Mensah', 'Plant operator', 'Operations', 'Piotr Zielinski', '2020-01-06'],
  ['Declan Murphy', 'Steel fixer', 'Operations', 'Piotr Zielinski', '2015-11-02'],
  ['Tom Ashworth', 'Labourer', 'Operations', 'Piotr Zielinski', '2024-07-15'],
  ['Jade Whitfield', 'Plasterer', 'Operations', 'Lorna Mackie', '2019-03-04'],
  ['Anton Petrov', 'Roofer', 'Operations', 'Lorna Mackie', '2021-05-17'],
  ['Harpreet Gill', 'Electrician', 'Operations', 'Lorna Mackie', '2014-09-22'],
  ['Megan Doyle', 'Plumber', 'Operations', 'Lorna Mackie', '2023-02-27'],
  ['Joseph Okafor', 'Apprentice bricklayer', 'Operations', 'Gary Hollis', '2026-09-07'],
  ['Stuart Bell', 'Groundworker', 'Operations', 'Lorna Mackie', '2008-06-30'],
]

export const CARE_JOBS: readonly DemoJob[] = [
  ['Helena Frost', 'Registered manager', 'Management', '', '2010-01-11'],
  ['Nigel Prowse', 'Deputy manager', 'Management', 'Helena Frost', '2014-05-06'],
  ['Amira Haddad', 'Care coordinator', 'Office', 'Helena Frost', '2019-09-16'],
  ['Colette Duval', 'Carer', 'Operations', 'Nigel Prowse', '2020-02-03'],
  ['Ben Tregenza', 'Carer', 'Operations', 'Nigel Prowse', '2021-11-08'],
  ['Patience Moyo', 'Night carer', 'Operations', 'Nigel Prowse', '2022-04-25'],
  ['Sheila Brent', 'Cleaner', 'Operations', 'Amira Haddad', '2017-07-10'],
  ['Yusuf Demir', 'Driver', 'Operations', 'Amira Haddad', '2025-03-17'],
  ['Orla Keane', 'Carer', 'Operations', 'Nigel Prowse', '2026-06-01'],
]
