import type { FormField, FormFieldOption, FormSchema, FormStep } from '#kernel/forms/schema.ts'

/** Options for the answers in a check. “Not applicable” scores no points, and is neither fine nor a defect. */
export const INSPECTION_CHOICES: readonly FormFieldOption[] = [
  { value: 'ok', label: 'OK', points: 1, means: 'fine' },
  { value: 'defect', label: 'Defect', points: 0, means: 'defect' },
  { value: 'na', label: 'Not applicable' },
]

interface Sample {
  /** Key of the sample. The key is the same in all releases. */
  readonly key: string
  readonly title: string
  readonly notes: string
  readonly schema: FormSchema
}

const check = (name: string, label: string): FormField[] => [
  { name, kind: 'select', label, required: true, options: INSPECTION_CHOICES },
  {
    name: `${name}Defect`,
    kind: 'longText',
    label: `${label} What is wrong, and what was done?`,
    required: true,
    when: [{ watch: name, equals: 'defect' }],
  },
  { name: `${name}Photo`, kind: 'uploads', label: `Photo: ${label}`, when: [{ watch: name, equals: 'defect' }] },
]
const step = (name: string, title: string, ...fields: readonly FormField[]): FormStep => ({
  name,
  title,
  groups: [{ fields }],
})
const signOff = (statement: string): FormStep =>
  step(
    'sign',
    'Sign',
    { name: 'photos', kind: 'uploads', label: 'Photos' },
    { name: 'signature', kind: 'signature', label: statement, required: true },
  )

/** Sample forms for the checks that inspectors request most often. */
export const SAMPLE_FORMS: readonly Sample[] = [
  {
    key: 'weekly-scaffold-check',
    title: 'Weekly scaffold check',
    notes:
      'Before first use, every seven days, and after anything that could have made it unsafe, especially bad weather.',
    schema: {
      title: 'Weekly scaffold check',
      pass: 100,
      steps: [
        step(
          'scaffold',
          'The scaffold',
          { name: 'site', kind: 'text', label: 'Site', required: true, subject: true },
          { name: 'place', kind: 'text', label: 'Which scaffold?', required: true },
          { name: 'tag', kind: 'text', label: 'Tag number', width: 6 },
          { name: 'wind', kind: 'switch', label: 'Strong wind, heavy rain or snow since the last check?' },
        ),
        step(
          'structure',
          'Structure',
          ...check('base', 'Sole boards and base plates sound and level?'),
          ...check('standards', 'Standards plumb, undamaged, joints staggered?'),
          ...check('bracing', 'Bracing in place and tight?'),
          ...check('ties', 'Ties in place, enough of them, and secure?'),
        ),
        step(
          'platform',
          'Working platform',
          ...check('boards', 'Boards sound, close together and supported?'),
          ...check('guardrails', 'Main guardrail at 950 mm or higher, no gap over 470 mm?'),
          ...check('toeboards', 'Toe boards fixed?'),
          ...check('access', 'Ladders secured, gates self-closing?'),
          ...check('load', 'Not overloaded, load class displayed?'),
        ),
        signOff('Signature of the competent person'),
      ],
    },
  },
  {
    key: 'forklift-pre-use-check',
    title: 'Forklift pre-use check',
    notes: 'At the start of each shift, by the driver.',
    schema: {
      title: 'Forklift pre-use check',
      pass: 100,
      steps: [
        step(
          'truck',
          'The truck',
          { name: 'number', kind: 'text', label: 'Truck number', required: true, subject: true, width: 6 },
          { name: 'hours', kind: 'number', label: 'Hour meter', min: 0, width: 6 },
        ),
        step(
          'before',
          'Before starting the engine',
          ...check('tyres', 'Tyres and wheel nuts?'),
          ...check('forks', 'Forks and carriage: no cracks, pins in place?'),
          ...check('chains', 'Mast and chains?'),
          ...check('leaks', 'No leaks under the truck?'),
          ...check('seat', 'Seat belt?'),
        ),
        step(
          'running',
          'With the engine running',
          ...check('brakes', 'Service and parking brake?'),
          ...check('steering', 'Steering?'),
          ...check('horn', 'Horn, lights and beacon?'),
          ...check('hydraulics', 'Lift, lower and tilt?'),
        ),
        signOff('Driver’s signature'),
      ],
    },
  },
  {
    key: 'weekly-vehicle-check',
    title: 'Weekly vehicle check',
    notes:
      'Each week, and before a long journey, by the driver. A vehicle with a defect is not driven until it is repaired.',
    schema: {
      title: 'Weekly vehicle check',
      pass: 100,
      steps: [
        step(
          'vehicle',
          'The vehicle',
          { name: 'registration', kind: 'text', label: 'Registration', required: true, subject: true, width: 6 },
          { name: 'mileage', kind: 'number', label: 'Mileage', min: 0, width: 6 },
        ),
        step(
          'outside',
          'Outside',
          ...check('tyres', 'Tyres: tread, pressure, no cuts or bulges?'),
          ...check('wheels', 'Wheels and wheel nuts secure?'),
          ...check('headlights', 'Headlights, dipped and main beam?'),
          ...check('brakeLights', 'Brake lights and reversing lights?'),
          ...check('indicators', 'Indicators and hazard lights?'),
          ...check('plates', 'Number plates clean and readable?'),
          ...check('mirrors', 'Mirrors and cameras clean and undamaged?'),
          ...check('bodywork', 'Bodywork and doors: no sharp edges, nothing loose?'),
        ),
        step(
          'fluids',
          'Under the bonnet',
          ...check('oil', 'Engine oil level?'),
          ...check('coolant', 'Coolant level?'),
          ...check('brakeFluid', 'Brake fluid level?'),
          ...check('screenwash', 'Screenwash filled?'),
          ...check('battery', 'Battery secure, terminals clean?'),
          ...check('leaks', 'No leaks under the vehicle?'),
        ),
        step(
          'cab',
          'In the cab',
          ...check('windscreen', 'Windscreen: no cracks or chips in view?'),
          ...check('wipers', 'Wipers and washers?'),
          ...check('horn', 'Horn?'),
          ...check('seatBelts', 'Seat belts lock and retract?'),
          ...check('warnings', 'No warning lights on the dashboard?'),
          ...check('steering', 'Steering: no play, no noise?'),
          ...check('footbrake', 'Footbrake firm, no pull to one side?'),
          ...check('parkingBrake', 'Parking brake holds?'),
        ),
        step(
          'load',
          'Load and equipment',
          ...check('racking', 'Racking and bulkhead secure?'),
          ...check('straps', 'Straps and lashing points undamaged?'),
          ...check('weight', 'Load secured and within the permitted weight?'),
          ...check('towbar', 'Towbar, coupling and electrics?'),
        ),
        step(
          'emergency',
          'For an emergency',
          ...check('firstAid', 'First-aid kit complete and in date?'),
          ...check('extinguisher', 'Fire extinguisher charged and in date?'),
          ...check('triangle', 'Warning triangle and high-visibility vest?'),
          ...check('spare', 'Spare wheel or repair kit?'),
        ),
        signOff('Driver’s signature'),
      ],
    },
  },
  {
    key: 'site-handover-snag-list',
    title: 'Snag list at handover',
    notes: 'Outstanding work when an area is handed over, one row per item.',
    schema: {
      title: 'Snag list at handover',
      steps: [
        step(
          'area',
          'The area',
          { name: 'site', kind: 'text', label: 'Site', required: true, subject: true },
          { name: 'area', kind: 'text', label: 'Area', required: true },
          { name: 'date', kind: 'date', label: 'Handed over on', required: true },
        ),
        step('snags', 'Snags', {
          name: 'snags',
          kind: 'rows',
          label: 'Snags',
          add: 'Add a snag',
          fields: [
            { name: 'what', kind: 'text', label: 'Description', required: true },
            { name: 'who', kind: 'text', label: 'Responsible', width: 6 },
            { name: 'by', kind: 'date', label: 'Complete by', width: 6 },
          ],
        }),
        signOff('Signature of the person taking over'),
      ],
    },
  },
]
