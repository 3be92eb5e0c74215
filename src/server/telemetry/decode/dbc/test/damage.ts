/** A DBC with each kind of statement, in which no name or number becomes another one when one character is damaged. */
export const SMALL_DBC = `VERSION "1.0"

NS_ :
\tCM_
\tBA_
\tSG_MUL_VAL_

BS_:

BU_: BMS DRV
VAL_TABLE_ Switch 1 "aan" 0 "uit" ;

BO_ 500 Accu: 8 BMS
 SG_ soc : 0|8@1+ (0.5,0) [0|100] "%" DRV
 SG_ current : 8|32@1- (1,0) [0|0] "A" DRV

BO_ 2566845396 Drive: 8 DRV
 SG_ page M : 0|8@1+ (1,0) [0|255] "" BMS
 SG_ speed m1 : 15|16@0- (0.25,-40) [0|0] "rpm" BMS
 SG_ heat m2M : 8|8@1+ (1,0) [0|0] "degC" BMS
 SG_ deep m7 : 16|8@1+ (1,0) [0|0] "" BMS

BO_ 1201 Doors: 2 BMS
 SG_ door : 0|2@1+ (1,0) [0|3] "" DRV

BO_TX_BU_ 500 : BMS,DRV;

CM_ "Een bestand
van twee regels";
CM_ BU_ BMS "De accu";
CM_ BO_ 500 "Elke 100 ms";
CM_ SG_ 500 soc "Laadtoestand,
zoals \\"getoond\\"";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ SG_ "SystemSignalLongSymbol" STRING ;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "DBName" "Net";
BA_ "GenMsgCycleTime" BO_ 500 100;
BA_ "SystemSignalLongSymbol" SG_ 1201 door "TheDoorOnTheLeftSideOfTheMachineThatIsOpen";
VAL_ 1201 door 3 "SNA" 1 "open" 0 "dicht" ;
SIG_VALTYPE_ 500 current : 1;
SG_MUL_VAL_ 2566845396 speed page 1-1, 3-5;
SG_MUL_VAL_ 2566845396 heat page 2-2;
SG_MUL_VAL_ 2566845396 deep heat 7-7;
`;

/** A line of a DBC, and the number of the message that it belongs to; undefined for a line that belongs to none. */
type OwnedLine = { readonly line: string; readonly owner: string | undefined };

const ABOUT = /^(?:VAL_|SIG_VALTYPE_|SG_MUL_VAL_|CM_ (?:SG_|BO_)|BA_ "[^"]*" (?:SG_|BO_))\s+(\d+) /;
const STATEMENT = /^[A-Z_]+_|^VERSION/;

/** Returns the lines of a DBC. A line that continues a text has the owner of the line before it. */
export function dbcLinesWithOwner(text: string): OwnedLine[] {
  let message: string | undefined;
  let last: string | undefined;
  return text.split(/\r?\n/).map((line) => {
    message = /^BO_ (\d+) /.exec(line)?.[1] ?? message;
    const isOfMessage = /^(?:BO_|\s*SG_) /.test(line);
    if (isOfMessage) last = message;
    else if (STATEMENT.test(line)) last = ABOUT.exec(line)?.[1];
    return { line, owner: last };
  });
}

/** Returns damaged copies of the line: for each position four copies that are damaged there. */
export const damagedLines = (line: string): string[] =>
  [...line].flatMap((_, at) => [
    line.slice(0, at) + line.slice(at + 1),
    `${line.slice(0, at)}"${line.slice(at)}`,
    `${line.slice(0, at)}#;${line.slice(at)}`,
    line.slice(0, at + 1),
  ]);
