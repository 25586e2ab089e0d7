/** The operators in the strike reports, with their usual spelling. */

import type { Ids } from './rows.ts'

type OperatorKind = 'airline' | 'cargo' | 'military' | 'business' | 'other'

/** The name as reported, the name to show, what they fly, and the ICAO code where they have one. */
const operators: [reported: string, name: string, kind: OperatorKind, icao: string | null][] = [
  ['ABX AIR', 'ABX Air', 'cargo', 'ABX'],
  ['AIR CANADA', 'Air Canada', 'airline', 'ACA'],
  ['AIR WISCONSIN AIRLINES', 'Air Wisconsin Airlines', 'airline', 'AWI'],
  ['AIRTRAN AIRWAYS', 'AirTran Airways', 'airline', 'TRS'],
  ['ALASKA AIRLINES', 'Alaska Airlines', 'airline', 'ASA'],
  ['ALLEGHENYAIRLINES', 'Allegheny Airlines', 'airline', 'ALO'],
  ['ALOHA AIRLINES', 'Aloha Airlines', 'airline', 'AAH'],
  ['AMERICA WEST AIRLINES', 'America West Airlines', 'airline', 'AWE'],
  ['AMERICAN AIRLINES', 'American Airlines', 'airline', 'AAL'],
  ['AMERICAN EAGLE AIRLINES', 'American Eagle Airlines', 'airline', 'EGF'],
  ['ASTAR AIR CARGO', 'Astar Air Cargo', 'cargo', 'DHL'],
  ['ATLANTIC COAST AIRLINES', 'Atlantic Coast Airlines', 'airline', 'BLR'],
  ['ATLANTIC SOUTHEAST', 'Atlantic Southeast Airlines', 'airline', null],
  ['BUSINESS', 'Business', 'business', null],
  ['CHAUTAUQUA AIRLINES', 'Chautauqua Airlines', 'airline', 'CHQ'],
  ['COMAIR AIRLINES', 'Comair', 'airline', 'COM'],
  ['COMMUTAIR', 'CommutAir', 'airline', 'UCA'],
  ['CONTINENTAL AIRLINES', 'Continental Airlines', 'airline', 'COA'],
  ['DELTA AIR LINES', 'Delta Air Lines', 'airline', 'DAL'],
  ['EXECUTIVE JET AVIATION', 'Executive Jet Aviation', 'business', 'EJA'],
  ['EXPRESSJET (CONTINENTAL EXPRS)', 'ExpressJet (Continental Express)', 'airline', 'BTA'],
  ['FEDEX EXPRESS', 'FedEx Express', 'cargo', 'FDX'],
  ['FRONTIER AIRLINES', 'Frontier Airlines', 'airline', 'FFT'],
  ['GOVERNMENT', 'Government', 'other', null],
  ['GREAT LAKES AIRLINES', 'Great Lakes Airlines', 'airline', 'GLA'],
  ['HAWAIIAN AIR', 'Hawaiian Air', 'airline', 'HAL'],
  ['HORIZON AIR', 'Horizon Air', 'airline', 'QXE'],
  ['JAPAN AIRLINES', 'Japan Airlines', 'airline', 'JAL'],
  ['JETBLUE AIRWAYS', 'JetBlue Airways', 'airline', 'JBU'],
  ['MESA AIRLINES', 'Mesa Airlines', 'airline', 'ASH'],
  ['MESABA AIRLINES', 'Mesaba Airlines', 'airline', 'MES'],
  ['MILITARY', 'Military', 'military', null],
  ['NORTHWEST AIRLINES', 'Northwest Airlines', 'airline', 'NWA'],
  ['PIEDMONT AIRLINES', 'Piedmont Airlines', 'airline', 'PDT'],
  ['PINNACLE', 'Pinnacle Airlines', 'airline', 'FLG'],
  ['PRIVATELY OWNED', 'Privately owned', 'other', null],
  ['PSA AIRLINES', 'PSA Airlines', 'airline', 'JIA'],
  ['SKYWEST AIRLINES', 'SkyWest Airlines', 'airline', 'SKW'],
  ['SOUTHWEST AIRLINES', 'Southwest Airlines', 'airline', 'SWA'],
  ['SPIRIT AIRLINES', 'Spirit Airlines', 'airline', 'NKS'],
  ['TRANS STATES AIRLINES', 'Trans States Airlines', 'airline', 'LOF'],
  ['TRANS WORLD AIRLINES', 'Trans World Airlines', 'airline', 'TWA'],
  ['UNITED AIRLINES', 'United Airlines', 'airline', 'UAL'],
  ['UNKNOWN', 'Unknown', 'other', null],
  ['UPS AIRLINES', 'UPS Airlines', 'cargo', 'UPS'],
  ['US AIRWAYS*', 'US Airways', 'airline', 'USA'],
]

export const operatorRows = operators.map(([, name, kind, icao_code], index) => ({
  id: index + 1,
  name,
  kind,
  icao_code,
}))

/** Operator ids by the names that the reports use. */
export const operatorIds: Ids = new Map(
  operators.map(([reported], index) => [reported, index + 1] as const),
)
