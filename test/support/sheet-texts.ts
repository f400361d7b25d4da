/** Text of a data sheet composed for tests, with the structure of REACH Annex II as UK suppliers write it. */
export const UK_SHEET = `Kelham Brush Cleaner
SAFETY DATA SHEET
according to UK REACH Regulation, as amended
Issue date: 03/02/2022   Revision date: 14/03/2025   Supersedes: 03/02/2022
SECTION 1: Identification of the substance/mixture and of the company/undertaking
1.1. Product identifier
Product form: Mixture
Product name: Kelham Brush Cleaner
UFI: A1B2-C3D4-E5F6-G7H8
1.2. Relevant identified uses of the substance or mixture and uses advised against
Use of the substance/mixture: Cleaning brushes
1.3. Details of the supplier of the safety data sheet
Kelham Coatings Ltd
12 Green Lane, Sheffield
Tel: 0114 496 0000
1.4. Emergency telephone number
0114 496 0001
SECTION 2: Hazards identification
2.1. Classification of the substance or mixture
Flam. Liq. 2   H225
Eye Irrit. 2   H319
STOT SE 3   H336
2.2. Label elements
Signal word: Danger
Hazard statements:
H225 - Highly flammable liquid and vapour.
h 319 - Causes serious eye irritation.
H3\u00ad
36 - May cause drowsiness or dizziness.
EUH066 - Repeated exposure may cause skin dryness or cracking.
Precautionary statements:
P210 - Keep away from heat, hot surfaces, sparks, open flames and other ignition sources. No smoking.
P305 + P351 +
P338 - IF IN EYES: Rinse cautiously with water for several minutes.
2.3. Other hazards
No data available
SECTION 3: Composition/information on ingredients
3.1. Substances
Not applicable
3.2. Mixtures
Name   Product identifier   %   Classification
Acetone   CAS-No.: 67-64-1   50 - 75   Flam. Liq. 2, H225
Xylene   CAS-No.: 1330-20-
7   10 - 25   Acute Tox. 4, H332
Made-up resin   CAS-No.: 12345-67-8   1 - 5   Skin Sens. 1, H317
SECTION 4: First aid measures
4.1. Description of first aid measures
General advice: Show this sheet to the doctor.
Inhalation: Remove the person to fresh air
and keep comfortable for breathing.
Skin contact: Wash skin with plenty of water.
Eye contact
Rinse cautiously with water for several minutes.
Ingestion: No data available
4.2. Most important symptoms and effects, both acute and delayed
Inhalation: May cause drowsiness.
SECTION 5: Firefighting measures
5.1. Extinguishing media
Foam
SECTION 7: Handling and storage
7.1. Precautions for safe handling
See section 8 for the equipment.
7.2. Conditions for safe storage, including any incompatibilities
Store in a well-ventilated place. Keep cool.
7.3. Specific end use(s)
No data available
SECTION 8: Exposure controls/personal protection
8.1. Control parameters
Acetone (67-64-1)
United Kingdom - Occupational exposure limits
WEL TWA (8 hours)   1,210 mg/m³   500 ppm
WEL STEL (15 minutes)   3620 mg/m³   1500 ppm
Xylene
Long-term exposure limit (8-hour TWA): WEL 50 ppm 220 mg/m³
Short-term exposure limit (15-minute): WEL 100 ppm 441 mg/m³
DNEL workers, long-term, inhalation: 1210 mg/m³
8.2. Exposure controls
Appropriate engineering controls: Local exhaust ventilation.
Eye/face protection: Safety glasses (EN 166)
Hand protection: Butyl gloves (EN 374), 0.5 mm,
breakthrough time over 480 minutes
Respiratory protection: Not required
SECTION 9: Physical and chemical properties
9.1. Information on basic physical and chemical properties
Physical state   Liquid
Colour   No data available
Boiling point   56,1 °C
SECTION 13: Disposal considerations
13.1. Waste treatment methods
Dispose of contents to a licensed waste contractor.
SECTION 14: Transport information
14.1. UN number or ID number
UN 1993
SECTION 15: Regulatory information
15.1. Safety, health and environmental regulations/legislation specific for the substance or
mixture
Health and Safety at Work etc. Act 1974.
15.2. Chemical safety assessment
No data available
SECTION 16: Other information
H332 Harmful if inhaled.`

/** Divides a text into lines on pages of some length. */
export const toPdfLines = (text: string, linesPerPage = 40) =>
  text.split('\n').map((line, i) => ({ page: Math.floor(i / linesPerPage) + 1, text: line }))
